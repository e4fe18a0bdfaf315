# nsmc in a container: docker build -t nsmc . ; docker run --rm -v "$PWD":/work nsmc run model.nsm -o run.csv
# The first stage builds the package, the second one has nothing but it. See docs/packages.md.
FROM debian:12 AS build
COPY . /nsmc
WORKDIR /nsmc
RUN scripts/setup && scripts/setup nodejs npm && scripts/package

FROM debian:12-slim
COPY --from=build /nsmc/build/packages/nsmc_*.deb /tmp/
RUN apt-get update \
 && apt-get install -y --no-install-recommends /tmp/nsmc_*.deb gnuplot-nox \
 && rm -rf /tmp/nsmc_*.deb /var/lib/apt/lists/*
# Compiled models are kept here: a volume keeps them from one container to the next.
ENV NSMC_CACHE_DIR=/var/cache/nsmc
RUN mkdir -m 1777 /var/cache/nsmc
WORKDIR /work
ENTRYPOINT ["nsmc"]
CMD ["--help"]
