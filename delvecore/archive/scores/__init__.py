"""Tables of scores as archives: one number per method, dataset, instance and metric."""
