# The image of the bots and the workers: `clew bots`, `clew worker`, and every other command of `clew`.
#
# Node 26 is the active LTS line since 28 October 2026 (until then 24, in maintenance since 20 October 2026): https://github.com/nodejs/Release
# Debian's slim variant and not Alpine, since the embedded engine (chDB) is built for glibc only.
# Where no registry of images is reached, deploy/build-offline.sh makes the base and the image.
ARG BASE=node:26-trixie-slim
FROM ${BASE} AS base
WORKDIR /app

FROM base AS build
# Packages first: they change less often than the sources. No package's own script runs.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json ./
COPY scripts ./scripts
COPY src ./src
RUN node scripts/build.mjs
# The embedded engine is a library of 540 MB that only CLICKHOUSE_URL=chdb:… and several sources need, in a process of its own. Most
# deployments ask one ClickHouse server, so it is left out; --build-arg EMBEDDED_ENGINE=1 adds it. Without it, chdb:… is refused in one sentence.
ARG EMBEDDED_ENGINE=0
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && if [ "$EMBEDDED_ENGINE" = 1 ]; then \
    npm install --no-save --omit=dev --ignore-scripts --no-audit --no-fund "chdb@$(node -p 'require("./package.json").peerDependencies.chdb')"; fi

FROM base AS run
ENV NODE_ENV=production
# Owned by root and not writable by the user that runs it: nothing is written here.
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
COPY bin ./bin
COPY prompts ./prompts
COPY migrations ./migrations
USER node
EXPOSE 8787
# /health answers as long as the process lives; whether it can work, /ready tells. The slim image has no curl, Node fetches by itself.
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 8787) + '/health').then(answer => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The exec form: node itself is the first process and gets SIGTERM, on which it drains. Run with --init (compose: init: true), which also
# passes on a signal that comes before Node listens for it.
ENTRYPOINT ["node", "/app/bin/clew.mjs"]
CMD ["bots"]
