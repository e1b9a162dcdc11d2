"""Questions that a build locks with the other solutions. Students get the questions, and not these modules."""
