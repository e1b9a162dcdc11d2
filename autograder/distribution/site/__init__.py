"""The lessons as a static web site."""
