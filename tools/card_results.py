"""What the describing tools answer."""

from __future__ import annotations

from pydantic import Field

from tools.base import Value
from tools.context import Passage
from tools.estimate import Assumption, Citation
from tools.provider import Provider
from tools.terms import Interconnect, ModelKind, Precision


class ModelCard(Value):
    """A model as the tools see it."""

    model: str
    """Architecture id."""
    family: str
    """Family of releases."""
    kind: ModelKind
    """Shape of the network."""
    total_parameters: int = Field(ge=0)
    """All parameters."""
    active_parameters: int = Field(ge=0)
    """Parameters one token uses."""
    parameters: dict[str, int]
    """Block -> parameters; adds up to the total."""
    linear_parameters: int = Field(ge=0)
    """Weights of linear layers inside blocks, which 4-bit loading quantises."""
    weight_bytes: dict[Precision, int]
    """Size of the weights by storage precision."""
    hidden_size: int | None
    """Width of the residual stream."""
    num_hidden_layers: int | None
    """Blocks."""
    num_attention_heads: int | None
    """Query heads."""
    num_key_value_heads: int | None
    """Key-value heads."""
    head_dim: int | None
    """Width of a head."""
    intermediate_size: int | None
    """Width of one dense feed-forward matrix."""
    vocab_size: int | None
    """Rows of the embedding."""
    tie_word_embeddings: bool | None
    """Whether embedding and head share one matrix."""
    num_experts: int
    """Routed experts a layer."""
    num_experts_per_tok: int
    """Routed experts a token uses."""
    attention_sharing: str
    """mha, gqa, mqa, mla, ..."""
    max_position_embeddings: int | None
    """Longest context the released configuration allows, in tokens."""
    dtype: str
    """Precision of the released weights."""
    components: dict[str, int | None]
    """Parts of a pipeline -> parameters; none where no source states them."""
    licence: str
    """Licence of the weights, `unknown` where no source states it."""
    released: str
    """Month of release."""
    count: str
    """How sure the parameter count is, in words."""
    notes: str
    """What a reader should know."""
    assumptions: list[Assumption] = []
    """What had to be assumed to get this far."""
    citations: list[Citation] = []
    """Sources."""


class Variant(Value):
    """One of several cards sold under a name."""

    accelerator: str
    """Accelerator id."""
    memory_label_gb: float
    """The figure on the box."""
    memory_bandwidth_gb_per_s: float | None
    """Peak memory bandwidth."""
    bf16_tflops: float | None
    """Dense bf16 peak."""
    interconnect: Interconnect
    """Best link between two such cards."""


class AcceleratorCard(Value):
    """An accelerator, and what it cannot do."""

    accelerator: str
    """Accelerator id."""
    vendor: str
    """Maker."""
    architecture: str
    """Generation."""
    release_year: int | None
    """Year of release."""
    memory_label_gb: float
    """The figure on the box."""
    usable_bytes: int
    """Bytes the driver gives to programs."""
    usable_is_assumed: bool
    """Whether that is 95 % of the label because nobody published the figure."""
    memory_type: str
    """HBM3, GDDR6X, ..."""
    memory_bandwidth_gb_per_s: float | None
    """Peak memory bandwidth, 1e9 bytes per second."""
    dense_tflops: dict[Precision, float]
    """Dense peak in 1e12 FLOP/s by precision."""
    fp16_accumulate_tflops: float | None
    """Dense fp16 peak with fp16 accumulation."""
    int8_tops: float | None
    """Dense int8 peak."""
    supports_bf16: bool | None
    """bf16 matrix units in hardware."""
    supports_fp8: bool | None
    """fp8 matrix units in hardware."""
    compute_capability: str | None
    """CUDA compute capability."""
    interconnect: Interconnect
    """Best link between two such cards in one node."""
    link_gb_per_s: float | None
    """Bandwidth of that link, both directions."""
    pcie_generation: int | None
    """PCI Express generation."""
    tdp_watts: int | None
    """Board power."""
    consumer: bool
    """A desktop card."""
    cannot: list[str]
    """What it cannot do."""
    needs: list[str]
    """What has to be installed or built."""
    variants: list[Variant] = []
    """Where the name means several cards: all of them; the figures above are the slower form's."""
    instance: str | None = None
    """Where a machine type was named: how many cards it has."""
    verification: str
    """Which rates were cross-checked."""
    notes: str
    """What a reader should know."""
    citations: list[Citation] = []
    """Sources."""


class ProviderCard(Value):
    """A provider's record, and what no source states."""

    provider: Provider
    """The record."""
    unknown: list[str]
    """Facts that no source states."""
    accelerators: list[str]
    """Cards it has offers for."""
    offers: int
    """Offers in the catalog."""
    pricing_terms: list[str]
    """Terms among them."""
    oldest_price: str | None = None
    """Date of the oldest."""
    newest_price: str | None = None
    """Date of the newest."""
    warnings: list[str] = []
    """What a reader should know."""
    citations: list[Citation] = []
    """Sources."""


class PassageList(Value):
    """Passages found."""

    passages: list[Passage]
    """Best first."""
