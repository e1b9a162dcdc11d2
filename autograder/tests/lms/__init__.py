"""Files of learning platforms in, and files for them out, by the commands that instructors call."""
