"""What people read: feedback, class report, kit, site. Nothing is decided here."""
