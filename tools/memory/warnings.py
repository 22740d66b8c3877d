"""What a user should know before paying, about memory."""

from __future__ import annotations

from tools.job import FineTuneJob
from tools.memory.weights import is_quantised
from tools.terms import Attention, ModelKind, Precision, Sharding


def warnings_of(job: FineTuneJob) -> list[str]:
    """One sentence each, only where it applies."""
    found = []
    card = job.accelerator
    longest = job.architecture.max_position_embeddings
    if longest and job.sequence_length > longest and job.resolution is None:
        cut = " Its position table has no more rows: samples are cut to that." if job.architecture.position_table else ""
        found.append(f"{job.sequence_length:,} tokens exceed the {longest:,} this model was released with.{cut}")
    if is_quantised(job) and job.sharding is Sharding.ZERO3:
        found.append("ZeRO-3 does not split 4-bit weights in the common stacks: each card holds all of them. FSDP does split them.")
    if job.accelerator_count > 1 and job.sharding in (Sharding.DDP, Sharding.NONE) and job.tensor_parallel * job.pipeline_parallel == 1:
        found.append("Memory of separate cards does not add up here: every card holds the whole model.")
    if card is not None and card.capability is not None and card.capability < (8, 0) and job.attention is Attention.FLASH:
        found.append(f"{card.id} does not run FlashAttention-2; use sdpa.")
    if card is not None and card.supports_bf16 is False and job.compute_precision is Precision.BF16:
        found.append(f"{card.id} has no bf16 units; use fp16 with loss scaling.")
    if job.architecture.kind is ModelKind.MOE:
        found.append("All experts count for memory, also those a token does not use.")
    return found
