"""Expected losses on a task and differences between methods: analysis of variance, manual chapter 8."""
