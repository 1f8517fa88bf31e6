"""Statistics of methods over many tasks: which is best, and how sure can we be?"""
