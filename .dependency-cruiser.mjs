// The direction of imports: main-* → bots, queue → agent, pipelines → history, llm, clickhouse, telemetry, store → config, errors, logger.
const TOP = '^src/(main-[^/]+|cli|commands/[^/]+)\\.ts$'
const onlyIn = (name, sdk, folder) => ({
  name,
  severity: 'error',
  comment: `${sdk} is imported in ${folder} only`,
  from: { path: '^src', pathNot: folder },
  to: { path: `node_modules/${sdk}/` },
})
const notFrom = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.ts$' },
  to: { path: to },
})

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: [TOP, '\\.test\\.ts$', '\\.contract\\.ts$'] },
      to: {},
    },
    { name: 'only-main-wires', severity: 'error', from: { path: '^src', pathNot: [TOP, '\\.test\\.ts$'] }, to: { path: TOP } },
    notFrom(
      'base-imports-nothing',
      '^src/(check|closed-tables|config|errors|link-hosts|logger|lifecycle|remembered|slices|visible-text)\\.ts$',
      '^src/[^/]+/',
    ),
    notFrom(
      'low-parts-know-no-others',
      '^src/(llm|clickhouse|telemetry|store)/',
      '^src/(bots|queue|agent|pipelines|history|access)/',
    ),
    notFrom('access-is-low', '^src/access/', '^src/(bots|queue|agent|pipelines|history|llm)/'),
    notFrom(
      'charts-are-drawn-apart',
      '^src/charts/',
      '^src/(bots|queue|agent/(?!(?:chart|picture)\\.ts)|pipelines|history|llm|clickhouse|store)',
    ),
    notFrom('history-is-low', '^src/history/', '^src/(bots|queue|agent|pipelines)/'),
    notFrom('agent-knows-no-chat', '^src/(agent|pipelines)/', '^src/(bots|queue)/'),
    notFrom('queue-knows-no-platform', '^src/queue/', '^src/bots/(slack|discord|terminal|console)/'),
    notFrom('slack-alone', '^src/bots/slack/', '^src/bots/(discord|terminal|console)/'),
    notFrom('discord-alone', '^src/bots/discord/', '^src/bots/(slack|terminal|console)/'),
    onlyIn('openai-in-llm', 'openai', '^src/llm/'),
    onlyIn('clickhouse-in-clickhouse', '@clickhouse/client', '^src/clickhouse/'),
    onlyIn('chdb-in-engine', 'chdb', '^src/clickhouse/engine/'),
    onlyIn('cron-in-pipelines', 'cron-parser', '^src/pipelines/'),
    onlyIn('ioredis-in-store', 'ioredis', '^src/store/'),
    onlyIn('bullmq-in-queue', 'bullmq', '^src/queue/'),
    onlyIn('echarts-in-charts', '(echarts|@resvg|@dagrejs)', '^src/charts/'),
    onlyIn('bolt-in-slack', '@slack', '^src/bots/slack/'),
    onlyIn('discordjs-in-discord', 'discord.js', '^src/bots/discord/'),
  ],
  options: {
    parser: 'swc',
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
}
