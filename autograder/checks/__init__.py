"""Cases are put to an answer, what comes back is scored, and a misconception is named."""
