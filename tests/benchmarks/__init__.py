"""The programs that simulate and measure."""
