"""How attributes become numbers, and cases become task instances. Manual, sections 6.2, 7.3 and 7.4."""
