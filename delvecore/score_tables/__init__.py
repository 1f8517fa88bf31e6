"""Tables of scores: one number for each method, dataset, instance and metric, read with pandas."""
