"""What leaves a course: class report, kit, site, autograders for Gradescope. Nothing is decided here."""
