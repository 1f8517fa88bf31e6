"""Statistics of methods over many tasks: which is best, and with what certainty?"""
