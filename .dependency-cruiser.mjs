import { readdirSync } from 'node:fs'

/** Each other folder of `src/bots/` is a platform. */
const SHARED_BY_PLATFORMS = ['actions', 'shared', 'markdown']
const PLATFORMS = readdirSync(new URL('src/bots', import.meta.url)).filter(folder => !SHARED_BY_PLATFORMS.includes(folder))

/**
 * The layers of `src/`, from the top. A file imports its own layer and those below it, and layers that share a row import nothing of each other.
 * ARCHITECTURE.md says what each holds.
 */
export const LAYERS = [
  ['main'],
  ['console'],
  ['evals', 'audit', 'privacy'],
  [...PLATFORMS.map(folder => `bots/${folder}`), 'http'],
  ['bots/actions'],
  ['bots/shared', 'bots/markdown'],
  ['queue'],
  ['chat', 'mcp'],
  ['agent'],
  ['answer-check', 'domain', 'charts', 'pipelines', 'history', 'combine'],
  ['sources'],
  ['access'],
  ['clickhouse', 'postgres'],
  ['warehouse'],
  ['llm', 'store'],
  ['telemetry'],
  ['words'],
  ['base'],
]

const TESTS = '\\.(test|contract)\\.ts$'
const inside = folders => `^src/(${folders.join('|')})/`

const downwards = LAYERS.flatMap((row, at) =>
  row.map(layer => ({
    name: `${layer}-imports-downwards`,
    severity: 'error',
    from: { path: inside([layer]), pathNot: TESTS },
    to: { path: '^src/', pathNot: inside([layer, ...LAYERS.slice(at + 1).flat()]) },
  })),
)

const onlyIn = (name, sdk, folder) => ({
  name,
  severity: 'error',
  comment: `${sdk} is imported in ${folder} only`,
  from: { path: '^src', pathNot: folder },
  to: { path: `node_modules/${sdk}/` },
})

export default {
  forbidden: [
    ...downwards,
    { name: 'imports-of-a-layer-only', severity: 'error', from: {}, to: { path: '^src/', pathNot: inside(LAYERS.flat()) } },
    { name: 'imports-from-a-layer-only', severity: 'error', from: { path: '^src/', pathNot: inside(LAYERS.flat()) }, to: {} },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: TESTS }, to: {} },
    onlyIn('clack-in-commands', '@clack', '^src/main/commands/'),
    onlyIn('openai-in-llm', 'openai', '^src/llm/'),
    onlyIn('clickhouse-in-clickhouse', '@clickhouse/client', '^src/clickhouse/'),
    onlyIn('chdb-in-engine', 'chdb', '^src/clickhouse/engine/'),
    onlyIn('pg-in-postgres', 'pg', '^src/postgres/'),
    onlyIn('cron-in-pipelines', 'cron-parser', '^src/pipelines/'),
    onlyIn('ioredis-in-store', 'ioredis', '^src/store/'),
    onlyIn('bullmq-in-queue', 'bullmq', '^src/queue/'),
    onlyIn('echarts-in-charts', '(echarts|@resvg|@dagrejs)', '^src/charts/'),
    onlyIn('openapi-in-http', '@hono/zod-openapi', '^src/http/'),
    onlyIn('opentelemetry-in-telemetry', '@opentelemetry', '^src/telemetry/'),
    onlyIn('prom-client-in-telemetry', 'prom-client', '^src/telemetry/'),
    onlyIn('mcp-in-mcp', '@modelcontextprotocol', '^src/mcp/'),
    onlyIn('bolt-in-slack', '@slack', '^src/bots/slack/'),
    onlyIn('discordjs-in-discord', 'discord.js', '^src/bots/discord/'),
  ],
  options: {
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // Its parser reads no TSX. A test of the bundle says what the console's page imports.
    exclude: { path: '^src/console/page/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
}
