"""Rules for datasets, prototasks, priors and methods. Each fault has its file and line.

The archive and the commands `dcheck` and `mcheck` share these rules. A rule takes parsed files and a
function `report`, which receives a ParseError for each fault. It does not stop at the first fault. Source:
DELVE manual, sections 3.1, 3.4, 4, 6.2, 6.3 and 7.1, appendix C (`dcheck`)."""
