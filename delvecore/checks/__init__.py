"""What is wrong with datasets, prototasks, priors and methods? Rules, each fault with its file and line.

The archive and the commands `dcheck` and `mcheck` share these rules. A rule takes what was read and a
function `report`, which receives a ParseError for each fault; it never stops at the first one. Source:
DELVE manual, sections 3.1, 3.4, 4, 6.2, 6.3 and 7.1, appendix C (`dcheck`)."""
