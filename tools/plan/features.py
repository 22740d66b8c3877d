"""What a provider must offer; unknown does not pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tools.arguments import Feature
from tools.provider import Provider
from tools.terms import Network

EU_COUNTRIES = frozenset(
    "AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split()  # noqa: SIM905  # one line reads better
)
"""Members of the European Union, ISO 3166 codes."""

FEATURES: dict[Feature, Callable[[Provider], bool]] = {
    "persistent_storage": lambda p: any(kind.survives_stop == "yes" or kind.survives_terminate == "yes" for kind in p.storage),
    "no_charge_while_stopped": lambda p: p.storage_charged_while_stopped == "no",
    "stops_when_stopped": lambda p: p.compute_charged_while_stopped == "no",
    "ssh": lambda p: p.ssh == "yes",
    "docker": lambda p: p.docker == "yes",
    "jupyter": lambda p: p.jupyter == "yes",
    "bare_metal": lambda p: p.bare_metal in ("yes", "partly"),
    "eu_company": lambda p: p.hq_country in EU_COUNTRIES,
    "free_egress": lambda p: bool(p.egress_tiers) and all(tier.usd_per_gb == 0 for tier in p.egress_tiers),
    "infiniband": lambda p: p.network is Network.INFINIBAND,
    "eu_hosting": lambda p: p.eu_hosting in ("yes", "partly"),
    "per_second_billing": lambda p: p.billing_step == "second",
    "per_minute_billing": lambda p: p.billing_step in ("second", "minute"),
    "spot": lambda p: p.spot == "yes",
    "iso_27001": lambda p: any("27001" in name for name in p.certificates),
    "bsi_c5": lambda p: any("C5" in name for name in p.certificates),
    "data_processing_agreement": lambda p: p.data_processing_agreement == "yes",
    "invoice": lambda p: p.invoice in ("yes", "partly"),
}
"""Feature -> test on the record. `partly` passes where the thing is sold with some machines or in some regions."""


def lacks(provider: Provider | None, wanted: Sequence[Feature]) -> list[Feature]:
    """The wanted features a provider's record does not show; all of them where there is no record."""
    return [feature for feature in wanted if provider is None or not FEATURES[feature](provider)]
