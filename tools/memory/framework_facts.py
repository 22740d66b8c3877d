"""What the name of a training stack stands for: documented properties of its code that memory depends on.

Nothing here is a factor. Each field is a fact that holds or does not, and another stack with the same property sets the
same field; where no stack is named, those of plain Transformers with PEFT are assumed.
"""

from __future__ import annotations

from dataclasses import dataclass

from tools.terms import Framework


@dataclass(frozen=True, slots=True)
class FrameworkFacts:
    """Properties of a stack; the defaults are those of Transformers with PEFT and Accelerate."""

    logit_bytes: int = 14
    """Bytes a logit of the plain loss with 16-bit compute: the 16-bit logits stay in the model's output (2) beside their
    fp32 copy (4), the saved log-probabilities (4) and the gradient (4)."""
    chunked_logit_bytes: int = 10
    """The same with a loss kernel that saves no log-probabilities: one fp32 tensor less."""
    compiled_logit_bytes: int = 6
    """The same where the stack compiles the loss too: 16-bit logits, an fp32 gradient written over the work."""
    autocasts: bool = True
    """Mixed precision is autocast (`bf16=True`); where not, all is computed in the precision of the weights."""
    pads_adapter_output: bool = False
    """The adapter of a fused query-key-value layer is scattered into zeros, and its output is kept for the backward pass."""
    adapter_dropout: bool = False
    """Adapters drop inputs by default: one more byte an element for the mask."""
    keeps_quantised_inputs: bool = False
    """4-bit layers keep their input although they are frozen (bitsandbytes up to 0.42 saves it)."""
    quantises_head: bool = False
    """The output matrix is quantised like every other linear layer."""
    unties_head: bool = False
    """Embedding and head are two tensors even where the configuration ties them."""
    whole_block_units: bool = False
    """FSDP units hold frozen and trained weights together, so that gradients held without synchronisation cover both."""
    accumulates_without_sync: bool = False
    """Micro-steps of an accumulation do not reduce gradients: FSDP keeps them whole on each device."""
    global_batch_size: int | None = None
    """Samples of an optimizer step where nobody states them, so that a small micro-batch means accumulation."""
    own_double_quantization: bool = False
    """Constants of nf4 blocks are always quantised again."""
    compiles_loss: bool = False
    """A compiled run compiles the loss too, so that no fp32 copy of the logits exists."""
    splits_root_unit: bool = False
    """Embedding and output matrix are units of their own, gathered one at a time."""
    note: str = ""
    """What to tell the user."""


PLAIN = FrameworkFacts(accumulates_without_sync=True)
"""Accelerate wraps accumulation in `no_sync` (accelerate.Accelerator.accumulate)."""

FACTS: dict[Framework, FrameworkFacts] = {
    Framework.LITGPT: FrameworkFacts(
        autocasts=False,
        logit_bytes=12,
        chunked_logit_bytes=6,
        pads_adapter_output=True,
        adapter_dropout=True,
        keeps_quantised_inputs=True,
        quantises_head=True,
        unties_head=True,
        whole_block_units=True,
        accumulates_without_sync=True,
        global_batch_size=64,  # its recipes (config_hub/finetune/*/full.yaml, "default: 64")
        note="LitGPT: head not tied and quantised with the rest, bitsandbytes 0.42, adapter dropout of 0.05, whole blocks as FSDP units",
    ),
    Framework.TORCHTUNE: FrameworkFacts(
        autocasts=False,
        logit_bytes=12,
        chunked_logit_bytes=6,
        compiled_logit_bytes=2,
        compiles_loss=True,
        splits_root_unit=True,  # custom_sharded_layers in the recipes of its large models
        own_double_quantization=True,  # torchao.dtypes.NF4Tensor quantises its scalers in blocks of 256
        note="torchtune: loss over chunks of 16-bit logits, gradients reduced every micro-step",
    ),
    Framework.TORCHTITAN: FrameworkFacts(logit_bytes=12),
    Framework.UNSLOTH: FrameworkFacts(
        logit_bytes=4, chunked_logit_bytes=4, compiled_logit_bytes=4, note="Unsloth: its loss kernel works on 16-bit logits in place"
    ),
    Framework.MEGATRON: FrameworkFacts(logit_bytes=10, chunked_logit_bytes=6, note="Megatron: fp32 loss over a split vocabulary"),
    Framework.NEMO: FrameworkFacts(logit_bytes=10, chunked_logit_bytes=6, note="NeMo: fp32 loss over a split vocabulary"),
}


def facts_of(framework: Framework | None) -> FrameworkFacts:
    """The facts of a stack, those of plain Transformers where none was named or none differ."""
    return FACTS.get(framework, PLAIN) if framework is not None else PLAIN
