"""Sizes that a resolved job moves: weights in, checkpoints, result out."""

from __future__ import annotations

from tools.arguments import PlanArguments
from tools.context import Context
from tools.cost.work import Freight, freight_of
from tools.job import FineTuneJob, JobArguments
from tools.memory.estimate import JobMemory, memory_of_job
from tools.parameters import parameter_blocks
from tools.plan.layouts import TRAINS_MOST
from tools.resolve import resolve_job
from tools.results import Plan

STATE_BYTES: dict[str, float] = {"adafactor": 0.1, "sgd": 0.0, "lomo": 0.0, "lion": 4.0, "muon": 4.0}
"""Bytes of optimizer state a trained parameter, where not Adam's two fp32 moments (8)."""
ADAM_STATE_BYTES = 8.0
EIGHT_BIT_STATE_BYTES = 2.0
MASTER_BYTES = 4.0


def state_bytes(job: FineTuneJob) -> float:
    """Bytes a trained parameter that a resumable checkpoint holds beside the weights."""
    name = job.optimizer
    known = next((size for key, size in STATE_BYTES.items() if key in name), None)
    size = EIGHT_BIT_STATE_BYTES if "8bit" in name else known if known is not None else ADAM_STATE_BYTES
    return size + (MASTER_BYTES if job.master_weights else 0.0)


def freight_for(job: FineTuneJob, memory: JobMemory) -> Freight:
    """What a job downloads, saves and hands over."""
    total = job.architecture.published_parameters or parameter_blocks(job.architecture).total
    return freight_of(
        total,
        memory.trainable_parameters,
        whole_model=job.method in TRAINS_MOST,
        state_bytes=state_bytes(job),
    )


def plan_arguments_of(arguments: PlanArguments, plan: Plan) -> JobArguments:
    """The arguments of the job alone, with everything the plan decided."""
    given = {
        field.alias or name: value
        for name, field in JobArguments.model_fields.items()
        if (value := getattr(arguments, name)) is not None and name != "global_batch_size"
    }
    return JobArguments.model_validate(
        given
        | {
            "accelerator": plan.accelerator,
            "accelerator_count": plan.accelerator_count,
            "nodes": plan.nodes,
            "interconnect": plan.interconnect,
            "sharding": plan.sharding,
            "micro_batch_size": plan.micro_batch_size,
            "gradient_accumulation_steps": plan.gradient_accumulation_steps,
            "activation_checkpointing": plan.activation_checkpointing,
        }
    )


def plan_freight(ctx: Context, arguments: PlanArguments, plan: Plan) -> Freight:
    """What the job of a shown plan moves."""
    job = resolve_job(ctx, plan_arguments_of(arguments, plan))
    return freight_for(job, memory_of_job(job))
