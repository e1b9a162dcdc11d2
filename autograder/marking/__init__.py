"""The page on which written answers are marked."""
