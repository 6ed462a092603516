# The container of mrgen, with the Go toolchain and Git, both of which mrgen calls.
#
#     docker run --rm -v "$PWD":/src ghcr.io/mrgen-io/mrgen generate
FROM golang:1.26-alpine
RUN apk add --no-cache git && git config --system --add safe.directory /src
COPY mrgen /usr/local/bin/mrgen
# A user of any ID can run it, so that files belong to who runs the container with --user.
ENV GOPATH=/tmp/go GOCACHE=/tmp/cache/go XDG_CACHE_HOME=/tmp/cache
WORKDIR /src
ENTRYPOINT ["mrgen"]
