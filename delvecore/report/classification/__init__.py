"""What is measured of classifiers, as records and as text."""
