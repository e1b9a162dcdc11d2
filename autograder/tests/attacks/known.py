"""Attacks that still succeed in something, and in what. The aim is an empty list."""

UNCHANGED = (
    "an answer that is none keeps the point for leaving its input as it was: `rules.common.unchanged` asks only "
    "that something came back"
)
DISK = (
    "the folder of the kernel's sockets lies on the machine's disk and is writable from inside: each file there is "
    "bounded, their number is not; they are removed with the kernel"
)
KNOWN: dict[str, str] = {
    "damage_disk": DISK,
    **dict.fromkeys(
        (
            "gain_constant",
            "gain_forged_nan",
            "gain_forged_types",
            "gain_looked_up",
            "mishap_empty_rows",
            "mishap_generator",
            "mishap_name",
        ),
        UNCHANGED,
    ),
}
