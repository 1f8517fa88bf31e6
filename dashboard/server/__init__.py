"""The dashboard's server, in the order in which to read it.

What is served, to whom: `serve` starts it, `hosting` has the address and the token, `configuration` the
settings of Streamlit, `asgi` puts the application together. A request passes `auth` with `sign_in`, and
`bounds`, and reaches a page of `pages`; a first page gets the cookie of `visitors`.

What pages show: `archive` opens the archive once for all as a job of `jobs`, notices changes of its files,
and computes in advance; `cache` shares results; `checks` checks the files as a job.

What visitors add: `uploads` keeps it, `sandbox` calls the functions of `own_files` in a process with
limits."""
