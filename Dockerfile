# syntax=docker/dockerfile:1
# One image for web process, worker, signer and commands: production dependencies only, no root user, nothing written (docs/runbooks/packages.md).
# The official Node image, by version and digest: the tag may move, the bytes may not. The build refuses another Node (scripts/prepare/official-node.json).
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS build
WORKDIR /build
# What `npm run package` packs, too; g++, make and python3 build what speaks to tokens (PKCS#11), once.
RUN apt-get update -q && apt-get install -q -y --no-install-recommends g++ make python3 && rm -rf /var/lib/apt/lists/*
COPY . .
RUN npm run build \
  && node scripts/prepare.mjs --live --pkcs11 \
  && node packaging/main.ts --tree /installation

FROM ${NODE_IMAGE}
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 MODE=live HOST=0.0.0.0 PORT=3000 NODE_COMPILE_CACHE=/tmp/compiled
COPY --from=build /installation /usr/lib/settlement-service
# The folder of the signer's socket: an empty volume there gets its owner and rights.
RUN install -d -m 0750 -o 10004 -g 10004 /run/settlement-signer
WORKDIR /usr/lib/settlement-service
# No name, no home, no shell; compose.yaml gives web process and worker different ones.
USER 10001:10001
EXPOSE 3000
STOPSIGNAL SIGTERM
# Of the web process; a worker switches it off, and is seen by its heartbeats in /ready.
HEALTHCHECK --interval=2s --timeout=4s --start-period=60s --retries=3 CMD ["node", "packaging/check-health.ts"]
CMD ["node", "--max-semi-space-size=16", "server/http/main.ts"]
