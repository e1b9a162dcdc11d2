"""The commands `autograder <command>`, with their options and their help."""
