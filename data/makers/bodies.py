"""Makes `data/bodies.csv`: invented people and their measures.

    python -m data.makers.bodies

Nobody was measured. Heights and body-mass indices are drawn, everything else follows from them with some
scatter; the numbers are rounded to a tenth, so every machine writes the same bytes.
"""

from pathlib import Path

import numpy as np

from data.makers import record_checksum

PATH = Path(__file__).resolve().parents[1] / "bodies.csv"
COLUMNS = ("waist", "chest", "weight", "height")
ROWS = 160
SEED = 1964


def make() -> str:
    """The table as CSV text: waist, chest and height in cm, weight in kg, one person a line."""
    rng = np.random.default_rng(SEED)
    height = rng.normal(164, 10, ROWS)
    body_mass_index = np.clip(21.5 * np.exp(rng.normal(0, 0.19, ROWS)), 14.5, 36)
    weight = body_mass_index * (height / 100) ** 2
    waist = 16 + 2.6 * body_mass_index + 0.15 * (height - 164) + rng.normal(0, 2.5, ROWS)
    chest = 36 + 0.76 * waist + 0.12 * (height - 164) + rng.normal(0, 2.5, ROWS)
    table = np.column_stack([waist, chest, weight, height])
    lines = [",".join(COLUMNS), *(",".join(f"{number:.1f}" for number in row) for row in table)]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table and its checksum."""
    PATH.write_text(make(), encoding="utf-8", newline="\n")
    record_checksum(PATH)
    print(f"wrote {PATH}: {ROWS} rows")


if __name__ == "__main__":
    main()
