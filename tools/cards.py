"""Cards of models, accelerators and providers, built from their records."""

from __future__ import annotations

from tools.accelerator import Accelerator
from tools.architecture import CountStatus, ModelArchitecture
from tools.arguments import ModelArguments
from tools.card_limits import limits, needs
from tools.card_results import AcceleratorCard, ModelCard, PassageList, ProviderCard, Variant
from tools.context import Context
from tools.estimate import Citation
from tools.model_lookup import find_model
from tools.offer import OfferQuery
from tools.parameters import ParameterBlocks, parameter_blocks
from tools.provider import Provider
from tools.terms import Precision

__all__ = ["AcceleratorCard", "ModelCard", "PassageList", "ProviderCard", "accelerator_card", "model_card", "provider_card"]

NF4_BITS = 4.127
"""Bits of one nf4 weight with double quantisation: 4 + 8/64 + 32/(64 x 256) (arXiv:2305.14314, section 3)."""

COUNTS: dict[CountStatus, str] = {
    "verified": "counted on the instantiated network; equals an exact published count",
    "rounded": "counted on the instantiated network; equals a published size to three decimals in billions",
    "explained": "counted on the instantiated network; a published count differs for a known reason",
    "instantiated": "counted on the instantiated network; no exact published count to compare with",
    "published": "published count; not recounted",
    "size_only": "derived from the stated size or dimensions",
    "unknown": "not confirmed by any source",
}
"""Status of a count in words."""

PROVIDER_FACTS: dict[str, str] = {
    "hq_country": "seat",
    "billing_step": "billing step",
    "minimum_charge": "minimum charge",
    "storage": "kinds of storage",
    "storage_charged_while_stopped": "whether a stopped instance goes on costing",
    "compute_charged_while_stopped": "whether a stopped machine is billed in full",
    "egress_tiers": "price of traffic out",
    "ingress_usd_per_gb": "price of traffic in",
    "spot": "whether spot is sold",
    "interruption_notice_seconds": "notice before an interruption",
    "ssh": "SSH",
    "docker": "own container images",
    "jupyter": "Jupyter",
    "bare_metal": "bare metal",
    "network": "network between nodes",
    "network_gbps": "bandwidth between nodes",
    "regions": "regions",
    "eu_hosting": "whether an EU region can be chosen",
    "data_protection": "data protection",
    "certificates": "certificates",
    "data_processing_agreement": "agreement on data processing",
    "invoice": "payment on invoice",
    "quota_note": "limits of a new account",
}
"""Field of a provider record -> what it is called when no source states it."""


def model_card(ctx: Context, arguments: ModelArguments) -> ModelCard:
    """A model by name, configuration object or size. Raises UnknownName, AmbiguousName, InvalidArguments, MissingFact."""
    a, assumptions = find_model(ctx, model=arguments.model, config=arguments.model_config_object)
    blocks = parameter_blocks(a)
    return ModelCard(
        model=a.id,
        total_parameters=blocks.total,
        active_parameters=blocks.active,
        parameters={name: value for name, value in blocks.model_dump().items() if isinstance(value, int) and value},
        linear_parameters=blocks.linear,
        weight_bytes=weight_bytes(blocks),
        components={part.role: part.parameters for part in a.components},
        count=COUNTS[a.count_status],
        assumptions=list(assumptions),
        citations=[model_citation(a)],
        **{name: getattr(a, name) for name in ModelCard.model_fields if name in _SHARED_WITH_MODEL},
    )


_SHARED_WITH_MODEL = frozenset(ModelArchitecture.model_fields) & frozenset(ModelCard.model_fields) - {"components"}


def weight_bytes(blocks: ParameterBlocks) -> dict[Precision, int]:
    """Bytes of the weights alone; in nf4 and int8 only linear layers shrink, the rest stays 16-bit."""
    rest = blocks.total - blocks.linear
    return {
        Precision.FP32: 4 * blocks.total,
        Precision.BF16: 2 * blocks.total,
        Precision.INT8: blocks.linear + 2 * rest,
        Precision.NF4: round(blocks.linear * NF4_BITS / 8) + 2 * rest,
    }


def model_citation(a: ModelArchitecture) -> Citation:
    """Where dimensions and count of a model come from."""
    return Citation(id=f"model:{a.id}", title=a.id, source=a.source, as_of=a.released)


def accelerator_citation(card: Accelerator) -> Citation:
    """Where the figures of a card come from."""
    return Citation(id=f"accelerator:{card.id}", title=card.id, source=card.source, as_of=card.as_of)


def provider_citation(provider: Provider) -> Citation:
    """Where the facts of a provider come from."""
    return Citation(id=f"provider:{provider.id}", title=provider.display_name, source=provider.source, as_of=provider.as_of)


def accelerator_card(ctx: Context, name: str) -> AcceleratorCard:
    """A card by any alias or machine type.

    A name shared by forms of one generation (A100) gives the slower form's figures and lists all forms. Raises
    UnknownName, or AmbiguousName where the name means different generations (RTX 6000).
    """
    found = ctx.catalog.accelerator_candidates(name)
    if len({card.architecture for card in found}) > 1:
        card = ctx.catalog.accelerator(name)
        found = [card]
    instance = ctx.catalog.instance_accelerator(name)
    card = min(found, key=_slowness)
    return AcceleratorCard(
        accelerator=card.id,
        usable_bytes=card.usable_bytes,
        usable_is_assumed=card.usable_mib is None,
        cannot=limits(card),
        needs=needs(card),
        variants=[_variant(each) for each in found] if len(found) > 1 else [],
        instance=f"{instance[1]:g}x {instance[0]}" if instance else None,
        citations=[accelerator_citation(each) for each in found],
        **{field: getattr(card, field) for field in AcceleratorCard.model_fields if field in _SHARED_WITH_ACCELERATOR},
    )


_SHARED_WITH_ACCELERATOR = frozenset(Accelerator.model_fields) & frozenset(AcceleratorCard.model_fields) - {"usable_bytes"}


def _slowness(card: Accelerator) -> tuple[float, float, float]:
    return (card.memory_label_gb, card.memory_bandwidth_gb_per_s or 0.0, card.dense_tflops.get(Precision.BF16, 0.0))


def _variant(card: Accelerator) -> Variant:
    return Variant(
        accelerator=card.id,
        memory_label_gb=card.memory_label_gb,
        memory_bandwidth_gb_per_s=card.memory_bandwidth_gb_per_s,
        bf16_tflops=card.dense_tflops.get(Precision.BF16),
        interconnect=card.interconnect,
    )


def provider_card(ctx: Context, name: str) -> ProviderCard:
    """A provider by any alias, with what no source states. Raises UnknownName."""
    provider = ctx.catalog.provider(name)
    offers = ctx.catalog.offers(OfferQuery(providers=(provider.id,), include_specialised=True))
    dates = sorted(offer.as_of for offer in offers)
    unpriced = sum(ctx.catalog.usd_per_hour(offer) is None for offer in offers)
    warnings = [] if offers else [f"The catalog has no offer of {provider.display_name}."]
    if unpriced:
        warnings.append(f"{unpriced} of its prices are in a currency no source states; they are not ranked.")
    return ProviderCard(
        provider=provider,
        unknown=[words for field, words in PROVIDER_FACTS.items() if _is_unknown(getattr(provider, field))],
        accelerators=sorted({offer.accelerator for offer in offers}),
        offers=len(offers),
        pricing_terms=sorted({offer.pricing_term.value for offer in offers}),
        oldest_price=dates[0].isoformat() if dates else None,
        newest_price=dates[-1].isoformat() if dates else None,
        warnings=warnings,
        citations=[provider_citation(provider)],
    )


def _is_unknown(value: object) -> bool:
    return value is None or value == "unknown" or value == ()
