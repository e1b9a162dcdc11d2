"""Pages for people: feedback, and how texts are formatted there."""
