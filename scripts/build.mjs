#!/usr/bin/env node
// Bundles src/ with its packages into dist/ (`npm ci` calls this as `prepare`), since a process starts three times as fast from a few files as from
// 1,500. A production install has no bundler, but has the bundled files.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { INSTALL_STAMP, isCompiled, isInstalled, lockHash } from './install-state.mjs'

/** The files that Node starts, which are programs, child processes and threads, and those that the library's users import. */
const ENTRIES = [
  'base/watch-loop-thread',
  'charts/thread',
  'clickhouse/engine/engine-process',
  'clickhouse/engine/watch-engine-thread',
  'main/cli',
  'main/library',
  'main/library-evals',
  'main/lone-process',
  'store/redis/supervisor',
  'warehouse/retrieval/index-thread',
]
/** Child processes of the tests, and the modules that test scripts import. */
const TEST_ENTRIES = [
  'src/agent/query/answer-data-questions',
  'src/agent/understand/asks-for-more',
  'src/base/lifecycle',
  'src/base/logger',
  'src/base/watch-loop',
  'src/base/watched-work',
  'src/clickhouse/engine/open-embedded-engine',
  'src/clickhouse/engine/watch-engine',
  'src/store/redis/embedded-redis',
  'test/support/engine-process',
  'test/support/granted-server-process',
  'test/support/local-postgres-process',
  'test/support/pipeline-process',
  'test/support/queue-worker-process',
  'test/support/trial-process',
]
/** These packages are not bundled, because they contain native modules or fonts. */
const EXTERNAL = ['@resvg/resvg-js', 'chdb', 'dejavu-fonts-ttf', 'msgpackr-extract']

/** npm gives discord.js and @discordjs/rest a copy of undici each, because it cannot put their common version beside Clew's own one. */
const ONE_COPY = {
  name: 'one copy',
  setup(build) {
    build.onLoad({ filter: /@discordjs\/rest\/node_modules\/undici\/index\.js$/ }, ({ path }) => {
      const other = path.replace('@discordjs/rest', 'discord.js')
      const [own, same] = [path, other].map(file => existsSync(file) && readFileSync(join(dirname(file), 'package.json'), 'utf8'))
      return own === same ? { contents: `module.exports = require(${JSON.stringify(other)})` } : undefined
    })
  },
}

/** Requests to Clew are UTF-8, so the tables of Asian encodings (half a megabyte, of express) stay out. Such a request gets 415. */
const NO_ASIAN_TABLES = {
  name: 'no Asian tables',
  setup(build) {
    build.onLoad({ filter: /iconv-lite\/encodings\/dbcs-data\.js$/ }, () => ({ contents: 'module.exports = {}' }))
  },
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
// The first `npx clew` in a checkout runs `prepare` again without a message, because it links the package into a folder of its own.
if (process.env.npm_lifecycle_event === 'prepare' && isInstalled() && isCompiled()) process.exit(0)
const esbuild = await import('esbuild').catch(() => undefined)
if (esbuild === undefined) {
  if (existsSync('dist')) process.exit(0)
  console.error('clew: esbuild is not installed, so src/ cannot be compiled. Run `npm ci --include=dev`.')
  process.exit(1)
}
rmSync('dist', { recursive: true, force: true })
try {
  await bundle(
    ENTRIES.map(entry => `src/${entry}.ts`),
    { outbase: 'src', outdir: 'dist' },
  )
  await bundleConsole()
  // The Docker image contains no tests.
  if (existsSync('test'))
    await bundle(
      TEST_ENTRIES.map(entry => `${entry}.ts`),
      { entryNames: '[name]', outdir: 'dist/test' },
    )
  writeFileSync(INSTALL_STAMP, lockHash())
} catch {
  // esbuild has already printed the reason.
  process.exit(1)
}

/**
 * Writes the console's page: `index.html`, and the assets that it names, whose own names have a hash of their content. Each asset
 * is there in compressed form too.
 */
async function bundleConsole() {
  const page = 'src/console/page'
  const { metafile } = await esbuild.build({
    entryPoints: [`${page}/main.tsx`, `${page}/theme.css`],
    outdir: 'dist/console/assets',
    entryNames: '[name]-[hash]',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'warning',
  })
  let html = readFileSync(`${page}/index.html`, 'utf8')
  for (const file of Object.keys(metafile.outputs)) {
    html = html.replace(basename(file).replace(/-\w+(?=\.\w+$)/, ''), basename(file))
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)))
  }
  writeFileSync('dist/console/index.html', html)
}

function bundle(entryPoints, output) {
  return esbuild.build({
    entryPoints,
    ...output,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: EXTERNAL,
    plugins: [ONE_COPY, NO_ASIAN_TABLES],
    sourcemap: true,
    // Half as much to parse and a quarter less to pack. `keepNames` keeps the names of functions in stack traces.
    minify: true,
    // BullMQ and zod recognize errors and types by the names of their classes.
    keepNames: true,
    // Bundled CommonJS packages call `require`, which ES modules do not have.
    banner: { js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)" },
    logLevel: 'warning',
  })
}
