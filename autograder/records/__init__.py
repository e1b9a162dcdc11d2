"""A class's database: the record store, marks by hand, changes of grades, where each student stands."""
