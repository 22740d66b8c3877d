"""Records as short texts in both languages, so that a question finds them; the figures come from the tools, not from here."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge.guide_files import Chunk
from tools.accelerator import Accelerator
from tools.architecture import ModelArchitecture
from tools.context import Catalog, ModelSource
from tools.provider import Provider
from tools.units import count_text, decimal_text

YES = {
    "en": {"yes": "yes", "no": "no", "partly": "partly", "unknown": "unknown"},
    "de": {"yes": "ja", "no": "nein", "partly": "teilweise", "unknown": "unbekannt"},
}


def record_chunks(catalog: Catalog, models: ModelSource) -> Iterator[Chunk]:
    """One chunk per record and language."""
    for provider in catalog.providers():
        yield from (_provider(provider, language) for language in ("en", "de"))
    for card in catalog.accelerators():
        yield from (_accelerator(card, language) for language in ("en", "de"))
    for model in models.models():
        yield from (_model(model, language) for language in ("en", "de"))


def _provider(provider: Provider, language: str) -> Chunk:
    yes = YES[language]
    survives = {kind.name: yes[kind.survives_stop] for kind in provider.storage}
    disks = ", ".join(f"{name}: {word}" for name, word in survives.items()) or yes["unknown"]
    egress = provider.egress_note or yes["unknown"]
    if language == "de":
        text = (
            f"{provider.display_name}: Speicher bleibt nach dem Stoppen erhalten: {disks}. Im gestoppten Zustand berechnet: "
            f"{yes[provider.storage_charged_while_stopped]}. Egress: {egress}. "
            f"Abrechnung: {provider.billing_note or provider.billing_step}. "
            f"Spot: {yes[provider.spot]}. SSH: {yes[provider.ssh]}, Docker: {yes[provider.docker]}, Jupyter: {yes[provider.jupyter]}. "
            f"Sitz: {provider.hq_country}. EU-Region: {yes[provider.eu_hosting]}."
        )
    else:
        text = (
            f"{provider.display_name}: storage survives a stop: {disks}. Storage is charged while stopped: "
            f"{yes[provider.storage_charged_while_stopped]}. Egress: {egress}. Billing: {provider.billing_note or provider.billing_step}. "
            f"Spot: {yes[provider.spot]}. SSH: {yes[provider.ssh]}, Docker: {yes[provider.docker]}, Jupyter: {yes[provider.jupyter]}. "
            f"Seat: {provider.hq_country}. EU region: {yes[provider.eu_hosting]}."
        )
    return Chunk(
        f"provider/{provider.id}",
        provider.display_name,
        text,
        "provider",
        language,
        provider.source,
        provider.as_of,
        " ".join(provider.aliases),
    )


def _accelerator(card: Accelerator, language: str) -> Chunk:
    german = language == "de"
    memory = decimal_text(card.memory_label_gb, 0, "de" if german else "en")
    supports = {True: "ja" if german else "yes", False: "nein" if german else "no", None: "unbekannt" if german else "unknown"}
    text = (
        f"{card.id} ({card.vendor}, {card.architecture}): {memory} GB {card.memory_type}. bf16: {supports[card.supports_bf16]}, "
        f"fp8: {supports[card.supports_fp8]}. Link: {card.interconnect.value}."
    )
    return Chunk(f"accelerator/{card.id}", card.id, text, "accelerator", language, card.source, card.as_of, " ".join(card.aliases[:6]))


def _model(model: ModelArchitecture, language: str) -> Chunk:
    count = count_text(model.published_parameters, "de" if language == "de" else "en") if model.published_parameters else "?"
    word = "Parameter" if language == "de" else "parameters"
    text = f"{model.id}: {count} {word}, {model.kind.value}, {model.family}."
    return Chunk(f"model/{model.id}", model.id, text, "model", language, model.source, model.released, " ".join(model.aliases[:6]))
