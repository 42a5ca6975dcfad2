# biaspipe in an image: `docker build -t biaspipe .`, with engines by `--build-arg EXTRAS="duckdb postgres"`.
#
#   docker run --rm --read-only --network none --user "$(id -u):$(id -g)" -v "$PWD:/work" \
#     biaspipe run audits/ --output-dir reports
#
# The base is a tag, so that a new build has the fixes of Debian and Python;
# whoever wants the same bytes again names it by digest: --build-arg BASE=python@sha256:...
# What stands on it is locked in requirements/, each file by its hash.
ARG BASE=python:3.13-slim-trixie

FROM ${BASE} AS build
ARG EXTRAS=""
WORKDIR /src
COPY requirements requirements
RUN python -m venv /opt/builder \
 && /opt/builder/bin/pip install --no-cache-dir --require-hashes --requirement requirements/build.txt
RUN python -m venv --without-pip /opt/biaspipe \
 && for lock in core ${EXTRAS}; do \
      python -m pip --python /opt/biaspipe/bin/python install --no-cache-dir --no-compile \
        --require-hashes --requirement "requirements/${lock}.txt" || exit 1; \
    done
COPY pyproject.toml README.md LICENSE ./
COPY biaspipe biaspipe
RUN /opt/builder/bin/python -m hatchling build --target wheel --directory /tmp/wheel \
 && python -m pip --python /opt/biaspipe/bin/python install --no-cache-dir --no-compile \
      --no-index --no-deps /tmp/wheel/*.whl
# Compiled once for all: nothing is looked up or written when a container starts.
RUN /opt/biaspipe/bin/python -m compileall -q -f --invalidation-mode unchecked-hash /opt/biaspipe/lib

FROM ${BASE}
# The base comes without the bytecode of the standard library, and with pip.
RUN python -m pip uninstall --yes --quiet pip \
 && python -m compileall -q -f --invalidation-mode unchecked-hash -x '/(test|tests|site-packages)/' \
      "$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')"
COPY --from=build /opt/biaspipe /opt/biaspipe
ENV PATH=/opt/biaspipe/bin:${PATH} \
    PYTHONDONTWRITEBYTECODE=1
ARG VERSION=""
ARG REVISION=""
LABEL org.opencontainers.image.title="biaspipe" \
      org.opencontainers.image.description="A declarative bias audit: a YAML spec in, a verdict and its evidence out." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /work
USER 10001:10001
ENTRYPOINT ["biaspipe"]
CMD ["--help"]
