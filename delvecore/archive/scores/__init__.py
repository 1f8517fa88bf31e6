"""Tables of scores as archives: one number a method, dataset, instance and metric."""
