"""The command `advisor dataset FILE`."""

from __future__ import annotations

from pathlib import Path

import click

from ui.json_text import to_json


@click.command(short_help="Count examples and tokens of a training file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--tokenizer", type=click.Path(exists=True, path_type=Path), help="The model's tokenizer.json, for an exact count.")
@click.option("--sequence-length", type=click.IntRange(1), help="Sequence to pack into; otherwise one that holds 99 % of the examples.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def dataset(file: Path, tokenizer: Path | None, sequence_length: int | None, as_json: bool) -> None:
    """Count FILE (JSON lines, JSON, CSV, Parquet, text): examples, tokens, percentiles, the longest, and what packing gains.

    Chat (messages, conversations), instruction, prompt and completion, preference pairs and plain text are known. The last line names
    the options that hand the figures to other commands.
    """
    from knowledge.dataset_files import open_tokenizer, records_of
    from tools.dataset.count import counted
    from ui.text_dataset import dataset_text

    summary = counted(
        records_of(file),
        file.name,
        tokenizer=open_tokenizer(tokenizer) if tokenizer else None,
        tokenizer_name=tokenizer.name if tokenizer else "",
        sequence_length=sequence_length,
    )
    click.echo(to_json(summary, indent=2) if as_json else dataset_text(summary))
