"""What lives on one device in each phase of a step: load, forward, backward, optimizer step."""

from __future__ import annotations

from dataclasses import dataclass

from tools.job import FineTuneJob
from tools.linear_modules import linear_modules
from tools.memory.activations import block_of
from tools.memory.diffusion import resident_encoders
from tools.memory.framework_facts import FrameworkFacts, facts_of
from tools.memory.held import held_activations, tokens
from tools.memory.logits import logits_peak
from tools.memory.objectives import frozen_copies
from tools.memory.optimizers import OPTIMIZERS, OptimizerFacts
from tools.memory.overhead import workspace_bytes
from tools.memory.precision import adapter_bytes
from tools.memory.sharding import (
    Split,
    communication_bytes,
    gathered_bytes,
    keeps_unsharded_gradients,
    optimizer_offloaded,
    parameters_offloaded,
    split_of,
)
from tools.memory.weights import BYTES, base_weight_bytes, casts_rest, element_bytes, is_quantised, plain_bytes
from tools.parameters import ParameterBlocks, parameter_blocks
from tools.terms import ActivationCheckpointing, ModelKind, Offload, Precision, Sharding
from tools.trainable import adapter_parameters, trained_base_parameters, trains_base


class Bag(dict[str, float]):
    """Bytes by component; bags add up component by component."""

    def __add__(self, other: dict[str, float]) -> Bag:
        """Sum of both."""
        total = Bag(self)
        for name, size in other.items():
            total[name] = total.get(name, 0.0) + size
        return total

    def positive(self) -> Bag:
        """Without the components that take nothing."""
        return Bag({name: size for name, size in self.items() if size > 0})


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The phases of one device, in bytes by component."""

    phases: dict[str, Bag]
    trainable: int
    total: int
    host_bytes: float
    """Host memory the offloaded parts take, over all devices."""

    @property
    def peak_phase(self) -> str:
        """The phase with most bytes."""
        return max(self.phases, key=lambda phase: sum(self.phases[phase].values()))

    @property
    def peak(self) -> Bag:
        """Components at the peak."""
        return self.phases[self.peak_phase]


def _blocks(job: FineTuneJob, facts: FrameworkFacts) -> ParameterBlocks:
    """Parameters by block; a stack that does not tie holds the embedding twice."""
    blocks = parameter_blocks(job.architecture)
    if facts.unties_head and not blocks.head and job.architecture.tie_word_embeddings and job.architecture.vocab_size:
        return blocks.model_copy(update={"head": blocks.embedding})
    return blocks


class Device:
    """One device of a job; works the terms out once."""

    def __init__(self, job: FineTuneJob) -> None:
        self.job = job
        self.facts = facts_of(job.framework)
        self.blocks: ParameterBlocks = _blocks(job, self.facts)
        self.split: Split = split_of(job)
        self.optimizer: OptimizerFacts = OPTIMIZERS[job.optimizer]
        self.layers = max(1, job.architecture.num_hidden_layers or 24)
        self.adapters = adapter_parameters(job, self.blocks)
        self.trained_base = trained_base_parameters(job, self.blocks)
        self.trained = self.adapters + self.trained_base
        self.element = element_bytes(job.compute_precision)
        self.trained_bytes = self._trained_bytes()

    def _trained_bytes(self) -> float:
        """Bytes of one trained parameter: that of the base where it trains, else that of the adapter."""
        job = self.job
        if trains_base(job) or not self.adapters:
            return plain_bytes(job) if is_quantised(job) else BYTES[job.weight_precision]
        return adapter_bytes(job)

    def weights(self) -> Bag:
        """Base weights and adapters."""
        job, split = self.job, self.split
        linear, rest = base_weight_bytes(job, self.blocks)
        # stacks for quantised sharding (FSDP) split the packed weights as storage; ZeRO-3 leaves them whole
        packed = job.sharding is Sharding.ZERO3 and is_quantised(job)
        divisor = (1.0 if packed else split.weights) * split.model
        expert = job.expert_parallel
        experts = linear * self.blocks.experts / max(1, self.blocks.linear)
        held = (linear - experts + experts / expert + rest) / divisor
        if parameters_offloaded(job):
            held = 0.0
        bag = Bag({"weights": held})
        bag["adapters"] = self.adapters * self.trained_bytes / (split.weights * split.model)
        if self.trained_base and not trains_base(job):  # modules_to_save: PEFT trains a copy beside the frozen original
            bag["adapters"] += self.trained_base * plain_bytes(job) / split.weights
        bag["reference_model"], bag["other_models"] = [held * copies for copies in frozen_copies(job)]
        bag["encoders"] = resident_encoders(job) if job.architecture.kind is ModelKind.DIFFUSION else 0.0
        return bag.positive()

    def gradients(self) -> float:
        """All gradients at the end of the backward pass."""
        job, split = self.job, self.split
        if job.optimizer_in_backward or self.optimizer.in_backward:
            return min(self.trained, self._largest_trained_tensor()) * self.trained_bytes / split.model
        whole = self.trained * self.trained_bytes / split.model
        if keeps_unsharded_gradients(job):
            if self.facts.whole_block_units:  # one flat tensor a block: frozen weights beside the adapters get gradients too
                whole = (self.blocks.total + self.adapters) * BYTES[job.weight_precision] / split.model
            return whole
        if parameters_offloaded(job) or (optimizer_offloaded(job) and job.sharding in (Sharding.ZERO2, Sharding.ZERO3)):
            return whole / self.layers  # one block, until it has been reduced and moved to the host
        return whole / split.gradients

    def states(self) -> Bag:
        """Optimizer states and master copies."""
        job, facts = self.job, self.optimizer
        each = facts.state_bytes
        if each is None:
            each = 4.0 if job.master_weights else self.trained_bytes
            if job.optimizer_state_precision is not None:
                each = float(element_bytes(job.optimizer_state_precision))
        trained = self.trained / (self.split.states * self.split.model)
        bag = Bag({"optimizer_states": facts.states * each * trained, "master_weights": 4.0 * trained if job.master_weights else 0.0})
        if optimizer_offloaded(job):
            return Bag()
        if facts.paged:  # unified memory: outside torch's pools, evicted to the host when the card is full
            bag["optimizer_states"] = 0.0
        return bag

    def step_workspace(self) -> float:
        """Temporaries of the optimizer step."""
        job, facts = self.job, self.optimizer
        if optimizer_offloaded(job) or job.optimizer_in_backward:
            return 0.0
        trained = self.trained / (self.split.states * self.split.model)
        width = 4.0 if job.master_weights else self.trained_bytes
        if job.master_weights and job.sharding in (Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3):
            # an fp32 copy of the gradient partition, and the step's own temporary
            return trained * (4.0 + (4.0 if facts.foreach else 0.0))
        if job.master_weights:
            return trained * 4.0
        if facts.foreach:
            return trained * width
        return facts.per_tensor_workspace * self._largest_trained_tensor()

    def _largest_trained_tensor(self) -> float:
        if not trains_base(self.job):
            return self.adapters / max(1, self.layers * 4)
        largest = max((module.in_features * module.out_features for module in linear_modules(self.job.architecture)), default=0)
        return max(largest, self.blocks.embedding, self.blocks.head) / self.split.states

    def dequantisation(self) -> float:
        """The largest layer in 16 bit while it is multiplied; with an fp32 head, the head's 16-bit copy under autocast."""
        job = self.job
        if not is_quantised(job):
            return self._autocast_copies()
        modules = linear_modules(job.architecture)
        largest = max((module.in_features * module.out_features for module in modules), default=self.blocks.linear // (7 * self.layers))
        head = 0
        if casts_rest(job) or self.facts.quantises_head:
            head = self.blocks.head or self.blocks.embedding
        return self.element * (largest + head)

    def _autocast_copies(self) -> float:
        """16-bit copies of fp32 weights under autocast: of all where nothing is computed again, else of one block."""
        job = self.job
        if job.weight_precision not in (Precision.FP32, Precision.TF32) or self.element == 4:
            return 0.0
        whole = 2.0 * (self.blocks.linear + self.blocks.head)
        if job.activation_checkpointing is ActivationCheckpointing.FULL or self.split.weights > 1:
            whole /= self.layers
        return whole / self.split.model

    def gathered(self) -> float:
        """Units gathered around the running layer."""
        job = self.job
        linear, rest = base_weight_bytes(job, self.blocks)
        compute = not is_quantised(job)  # FSDP gathers in the compute precision; packed weights as they are
        each = self.element if compute else linear / max(1, self.blocks.linear)
        block = self.blocks.linear * each / self.layers / self.split.model
        tables = (self.blocks.embedding, self.blocks.head)
        root = (max(tables) if self.facts.splits_root_unit else sum(tables)) * (
            self.element if compute else rest / max(1, self.blocks.total - self.blocks.linear)
        )
        return gathered_bytes(job, block, root, each)

    def anatomy(self) -> Anatomy:
        """All phases."""
        job = self.job
        weights, states, gradients = self.weights(), self.states(), self.gradients()
        held = held_activations(job, self.layers)
        workspace = Bag({"optimizer_workspace": float(workspace_bytes(job.accelerator))})
        during = Bag({"dequantization": self.dequantisation(), "gathered_parameters": self.gathered()})
        carried = Bag({"gradients": gradients if job.gradient_accumulation_steps > 1 else 0.0})
        buckets = Bag({"communication": communication_bytes(job, self.trained / self.split.model, self.trained_bytes)})
        logits = logits_peak(job, tokens(job) / job.context_parallel)
        base = weights + states + workspace
        moving = base + during + buckets
        # gradients grow while activations go: the peak of the backward pass lies at one of its ends
        start = moving + carried + Bag({"activations": held.backward_start})
        end = moving + Bag({"activations": held.backward_end, "gradients": gradients})
        phases = {
            "load": weights + workspace,
            "forward": moving + carried + Bag({"activations": held.forward, "logits": logits}),
            "backward": max(start, end, key=lambda bag: sum(bag.values())),
            "optimizer_step": base + Bag({"gradients": gradients}) + buckets + Bag({"optimizer_workspace": self.step_workspace()}),
        }
        total = self.blocks.total + self.adapters
        return Anatomy({name: bag.positive() for name, bag in phases.items()}, self.trained, total, self._host_bytes())

    def _host_bytes(self) -> float:
        """Offloaded parts over all devices: states, master copies and gradients of 16 bytes a trained parameter."""
        job = self.job
        size = 0.0
        if Offload.OPTIMIZER in job.offload:
            size += 16.0 * self.trained
        elif self.optimizer.paged:
            size += self.optimizer.states * (self.optimizer.state_bytes or 4.0) * self.trained
        if Offload.PARAMETERS in job.offload:
            size += sum(base_weight_bytes(job, self.blocks))
        if Offload.ACTIVATIONS in job.offload:
            size += tokens(job) * block_of(job).boundary * self.layers * job.replicas
        return size
