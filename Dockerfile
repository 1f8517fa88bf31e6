# docker build -t delve . && docker run --rm -p 127.0.0.1:8501:8501 -v "$PWD/archive:/archive:ro" delve /archive
# docs/hosting.md says how to name a newer one.
ARG PYTHON=python:3.11-slim@sha256:9c900dea9e8fb7e16277c179b555cc72d29a352dbc33cff48ad5a0412fd5bfc7
FROM ${PYTHON} AS build
COPY . /src
RUN sh /src/docs/hosting/install.sh /opt/delve

FROM ${PYTHON}
COPY --from=build /opt/delve /opt/delve
RUN useradd --uid 1000 delve && install -d -o delve /var/cache/delve
USER delve
# Mount a volume here, and the archive is read once only.
ENV XDG_CACHE_HOME=/var/cache/delve PYTHONUNBUFFERED=1
EXPOSE 8501
HEALTHCHECK --start-period=30s CMD ["/opt/delve/bin/python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=5)"]
# Others than this machine may come: the token stands in the address in the log, or is that of DELVE_TOKEN.
ENTRYPOINT ["/opt/delve/bin/delve", "dashboard", "--no-browser", "--host", "0.0.0.0", "--port", "8501"]
