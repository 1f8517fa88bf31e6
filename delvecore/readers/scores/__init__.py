"""Read tables of scores, one number a method, dataset and instance, whatever shape and format they have."""
