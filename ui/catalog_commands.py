"""The commands `advisor catalog ...`."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click

from ui.json_text import to_json

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
ACCEPT = click.option("--accept", is_flag=True, help="Take a price list although it has far fewer rows than before.")


@click.group(name="catalog")
def catalog() -> None:
    """Prices: their state, refreshing and importing them, and their history."""


@catalog.command()
@JSON
def status(as_json: bool) -> None:
    """Rows, providers, ages, and what the last refresh kept back."""
    from advisor.data_dir import data_dir
    from knowledge.prices.status import catalog_status
    from ui.text_catalog import status_text

    state = catalog_status(today(), data_dir())
    tell(state, status_text(state), as_json)


@catalog.command()
@click.argument("providers", nargs=-1)
@ACCEPT
@JSON
@click.pass_context
def refresh(ctx: click.Context, providers: tuple[str, ...], accept: bool, as_json: bool) -> None:
    """Fetch new prices of PROVIDERS, or of all that a source has; what looks wrong is kept back and told."""
    from advisor.data_dir import data_dir
    from knowledge.prices.refresh import Refresher
    from ui.text_catalog import refresh_text

    report = Refresher(data_dir()).refresh(providers, accept=accept)
    tell(report, refresh_text(report), as_json)
    if not any(each.outcome in ("refreshed", "unchanged") for each in report.providers):
        ctx.exit(3)


@catalog.command(name="import")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("providers", nargs=-1)
@click.option("--as-of", required=True, type=click.DateTime(["%Y-%m-%d"]), help="Date of the prices, as in 2026-11-20.")
@click.option("--source", default="https://github.com/skypilot-org/skypilot-catalog", help="Where the files come from.", show_default=True)
@ACCEPT
@JSON
@click.pass_context
def import_(
    ctx: click.Context, folder: Path, providers: tuple[str, ...], as_of: datetime, source: str, accept: bool, as_json: bool
) -> None:
    """Take over price lists in SkyPilot's format from FOLDER (one `<cloud>/vms.csv` each), of PROVIDERS or all."""
    from advisor.data_dir import data_dir
    from knowledge.prices.import_folder import import_folder
    from ui.text_catalog import refresh_text

    report = import_folder(data_dir(), folder, providers, as_of=as_of.date(), source=source, accept=accept)
    tell(report, refresh_text(report), as_json)
    if not any(each.outcome in ("refreshed", "unchanged") for each in report.providers):
        ctx.exit(3)


@catalog.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export(folder: Path) -> None:
    """Write the public prices into FOLDER, one file for each provider."""
    from advisor.data_dir import data_dir
    from knowledge.catalog import TableCatalog
    from knowledge.prices.export import export as write
    from tools.errors import AdvisorError

    try:
        rows = write(TableCatalog.load(own=data_dir()), folder)
    except OSError as error:
        raise AdvisorError(f"{folder} cannot be written: {error.strerror}.", "Name another folder.") from error
    click.echo(f"{rows:,} offers written to {folder}")


@catalog.command()
@click.argument("accelerator")
@click.option("--provider", default=None, help="Only this provider.")
@JSON
@click.pass_obj
def history(open_tools: Any, accelerator: str, provider: str | None, as_json: bool) -> None:
    """How the prices of ACCELERATOR moved, as far as earlier prices are known."""
    from tools.offer import OfferQuery
    from ui.text_catalog import history_text

    known = open_tools().catalog
    cards = tuple(card.id for card in known.accelerator_candidates(accelerator))
    providers = (known.provider(provider).id,) if provider else ()
    offers = known.offers(OfferQuery(accelerators=cards, providers=providers))
    series = [(offer, past) for offer in offers if (past := known.history(offer))]
    text = history_text(series) if series else [f"No earlier price of {accelerator} is known; each refresh keeps the ones it replaces."]
    tell([{"offer": offer, "earlier": past} for offer, past in series], text, as_json)


@catalog.command()
def rollback() -> None:
    """Go back to the prices before the last refresh."""
    from advisor.data_dir import data_dir
    from knowledge.prices.snapshots import SnapshotStore

    store = SnapshotStore(data_dir() / "catalog")
    with store.locked():
        id_ = store.rollback()
    click.echo(f"Snapshot {id_[:12]} is in force." if id_ else "No earlier snapshot: the prices that ship are in force.")


def tell(value: Any, lines: list[str], as_json: bool) -> None:
    """Print a result."""
    click.echo(to_json(value, indent=2) if as_json else "\n".join(lines))


def today() -> date:
    """The day here."""
    return datetime.now(UTC).astimezone().date()
