import { describe, expect, it } from '@jest/globals'
import { ConfigurationError } from '../base/errors.ts'
import { readConfig } from './config.ts'
import { PLATFORM_REGISTRY } from './platform-registry.ts'

function refusalOf(env: Readonly<Record<string, string>>): string {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError)
    return (error as ConfigurationError).message
  }
  throw new Error(`accepted: ${JSON.stringify(env)}`)
}

describe('readConfig', () => {
  it('has defaults for optional values, and none for required choices', () => {
    expect(readConfig({})).toEqual({
      warehouse: {
        url: undefined,
        databases: ['default'],
        maxRows: 10_000,
        maxBytes: 10_000_000,
        timeoutMs: 30_000,
        budget: { maxRows: 5_000_000_000, maxBytes: 50_000_000_000 },
        privateColumns: [],
        requireKnownEngine: false,
      },
      pipelines: { writerUrl: undefined, stateDatabase: 'clew', database: 'pipelines', preservation: 'NONE' },
      redis: { url: undefined, requireAppendOnly: false, stateKey: undefined },
      model: undefined,
      chat: { platforms: PLATFORM_REGISTRY, configured: {} },
      access: { file: undefined, ttlMs: 300_000 },
      promptsDirectory: undefined,
      domainDirectory: undefined,
      timeZone: 'UTC',
      historyTurns: 8,
      retention: { results: 7 * 86_400, history: 30 * 86_400, traces: 7 * 86_400, feedback: 365 * 86_400 },
      audit: { retentionSeconds: 365 * 86_400, isRequired: false },
      runTimeoutMs: 120_000,
      speculation: true,
      linkHosts: [],
      corsOrigins: [],
      mcpRunQuery: false,
      workerConcurrency: 20,
      allowance: { questions: 1_000, tokens: 10_000_000 },
      spans: { endpoint: undefined, hasContent: false },
      caps: [],
      logLevel: 'info',
      port: 8787,
      variables: expect.arrayContaining(['PORT', 'SLACK_BOT_TOKEN', 'DISCORD_TOKEN_FILE']),
      secrets: [],
    })
  })

  it('treats a blank value of any variable as absent', () => {
    const names = [
      ...['CLICKHOUSE_URL', 'CLICKHOUSE_DATABASE', 'REDIS_URL', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL'],
      ...[
        'SLACK_BOT_TOKEN',
        'SLACK_APP_TOKEN',
        'SLACK_SIGNING_SECRET',
        'SLACK_API_URL',
        'CLEW_PROMPTS_DIR',
        'CLEW_ACCESS_FILE',
        'CLEW_ACCESS_TTL_S',
        'CLEW_DOMAIN_DIR',
        'CLEW_MODEL_TIMEOUT_S',
      ],
      ...['CLEW_TIME_ZONE', 'CLEW_REQUIRE_AOF', 'CLEW_HISTORY_TURNS', 'CLEW_QUERY_MAX_ROWS', 'CLEW_QUERY_MAX_BYTES'],
      ...[
        'CLEW_QUERY_TIMEOUT_S',
        'CLEW_COST_MAX_ROWS',
        'CLEW_COST_MAX_BYTES',
        'CLEW_RUN_TIMEOUT_S',
        'CLEW_PRIVATE_COLUMNS',
        'CLEW_LINK_HOSTS',
        'CLEW_CORS_ORIGINS',
        'CLEW_WORKER_CONCURRENCY',
        'CLEW_LOG_LEVEL',
      ],
      ...['DISCORD_TOKEN', 'DISCORD_APPLICATION_ID', 'DISCORD_API_URL', 'CLEW_MODEL_GENERATE', 'PORT'],
    ]
    for (const blank of ['', '  ']) {
      expect(readConfig(Object.fromEntries(names.map(name => [name, blank])))).toEqual(readConfig({}))
    }
  })

  it.each([
    ['CLICKHOUSE_URL', 'mysql://somewhere', 'must start with `http://`, `https://` or `chdb:`'],
    ['CLICKHOUSE_URL', 'https://', 'must be a whole address'],
    ['CLICKHOUSE_URL', 'http://u:%zz@host:8123', 'must be a whole address'],
    ['CLICKHOUSE_DATABASE', ' , ', 'must name at least one database'],
    ['REDIS_URL', 'localhost:6379', 'must start with `redis://`'],
    ['OPENAI_BASE_URL', 'api.example.com/v1', 'must start with `http://` or `https://`'],
    ['SLACK_BOT_TOKEN', 'xapp-1', "must be a bot user's token, which starts with xoxb-"],
    ['SLACK_APP_TOKEN', 'xoxb-1', 'must be an app-level token with connections:write, which starts with xapp-'],
    ['SLACK_API_URL', 'slack.com', 'must start with `http://` or `https://`'],
    ['DISCORD_TOKEN', 'Bot abc', "must be a bot's token, which has three parts with dots between them"],
    ['DISCORD_APPLICATION_ID', 'clew', "must be an application's id, a number of 17 to 20 digits"],
    ['DISCORD_API_URL', 'discord.com', 'must start with `http://` or `https://`'],
    ['CLEW_MODEL_TIMEOUT_S', 'soon', 'must be a whole number of seconds, 1 to 86400'],
    ['CLEW_TIME_ZONE', 'Mars/Olympus', 'must be an IANA time zone such as Europe/Berlin'],
    [
      'CLEW_LINK_HOSTS',
      'wiki.example, https://x.example/y',
      'must be host names, such as wiki.example.com or *.example.com: https://x.example/y is not one',
    ],
    ['CLEW_CORS_ORIGINS', '*', 'must be origins, such as https://app.example.com: * is not one'],
    ['CLEW_REQUIRE_AOF', 'yes', 'must be 0 or 1'],
    ['CLEW_HISTORY_TURNS', '2.5', 'must be a whole number of turns, 1 or more'],
    ['CLEW_QUERY_MAX_ROWS', '0', 'must be a whole number of rows, 1 or more'],
    ['CLEW_QUERY_MAX_BYTES', '10 potatoes', 'must be a size such as 10 MB'],
    ['CLEW_QUERY_MAX_BYTES', '0', 'must be a size such as 10 MB'],
    ['CLEW_QUERY_TIMEOUT_S', '-1', 'must be a whole number of seconds, 1 to 86400'],
    ['CLEW_COST_MAX_ROWS', '-1', 'must be a whole number of rows, or 0 for no budget, 0 or more'],
    ['CLEW_COST_MAX_BYTES', 'all', 'must be a size such as 10 MB'],
    ['CLEW_RUN_TIMEOUT_S', '1e999', 'must be a whole number of seconds, 1 to 86400'],
    ['CLEW_MODEL_TIMEOUT_S', '2592000', 'must be a whole number of seconds, 1 to 86400'],
    ['CLEW_WORKER_CONCURRENCY', 'many', 'must be a whole number of threads, 1 or more'],
    ['CLEW_LOG_LEVEL', 'loud', 'must be one of trace, debug, info, warn, error, fatal, silent'],
    ['PORT', '70000', 'must be a port number, 0 to 65535'],
    ['PORT', 'http', 'must be a port number'],
  ])('refuses %s=%s and says what is valid', (name, value, remedy) => {
    const message = refusalOf({ [name]: value })
    expect(message).toContain(`${name} ${remedy}`)
    expect(message).toContain('docs/configuration.md lists every variable.')
  })

  it('lists all wrong variables at once', () => {
    const message = refusalOf({ PORT: 'x', CLEW_TIME_ZONE: 'y', CLEW_QUERY_MAX_BYTES: 'z' })
    for (const name of ['PORT', 'CLEW_TIME_ZONE', 'CLEW_QUERY_MAX_BYTES']) expect(message).toContain(`${name} must be`)
  })

  it('never repeats a wrong value, since it may be a misplaced secret', () => {
    expect(refusalOf({ SLACK_BOT_TOKEN: 'hunter2-hunter2', CLICKHOUSE_URL: 'u:hunter2-hunter2@host' })).not.toContain('hunter2')
  })

  it.each([
    [{ SLACK_BOT_TOKEN: 'xoxb-1' }, 'neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is'],
    [{ SLACK_SIGNING_SECRET: 'shh' }, 'SLACK_BOT_TOKEN is not'],
    [{ SLACK_APP_TOKEN: 'xapp-1' }, 'SLACK_BOT_TOKEN is not'],
    [{ DISCORD_TOKEN: 'a.b.c' }, 'DISCORD_APPLICATION_ID is not'],
    [{ DISCORD_APPLICATION_ID: '12345678901234567' }, 'DISCORD_TOKEN is not'],
  ])('refuses a platform with missing variables: %j', (env, missing) => {
    expect(refusalOf(env)).toContain(missing)
  })

  it.each([
    ['1048576', 1_048_576],
    ['512kB', 512_000],
    ['10 MB', 10_000_000],
    ['1.5 g', 1_500_000_000],
    ['7b', 7],
  ])('reads the size %s', (written, bytes) => {
    expect(readConfig({ CLEW_QUERY_MAX_BYTES: written }).warehouse.maxBytes).toBe(bytes)
  })

  it('reads lists with spaces and empty items', () => {
    const { warehouse } = readConfig({ CLICKHOUSE_DATABASE: ' sales, ,crm ', CLEW_PRIVATE_COLUMNS: 'users.email,, phone' })
    expect([warehouse.databases, warehouse.privateColumns]).toEqual([
      ['sales', 'crm'],
      ['users.email', 'phone'],
    ])
  })

  it('has a model as soon as there is a key or an endpoint, and may have another per step', () => {
    const env = { OPENAI_BASE_URL: 'http://localhost:1/v1', CLEW_MODEL_GENERATE: ' large ', CLEW_MODEL_TIMEOUT_S: '7' }
    expect(readConfig(env).model).toEqual({
      apiKey: 'none',
      baseUrl: 'http://localhost:1/v1',
      model: 'gpt-5-mini',
      perStep: { generate: 'large' },
      timeoutMs: 7_000,
    })
    expect(readConfig({ OPENAI_API_KEY: 'sk-1', OPENAI_MODEL: 'm' }).model).toMatchObject({ apiKey: 'sk-1', model: 'm' })
    expect(readConfig({ OPENAI_MODEL: 'm' }).model).toBeUndefined()
  })

  it('lists every secret, including those in URLs, both encoded and decoded', () => {
    const { secrets } = readConfig({
      OPENAI_API_KEY: 'sk-secret',
      SLACK_BOT_TOKEN: 'xoxb-secret',
      SLACK_APP_TOKEN: 'xapp-secret',
      SLACK_SIGNING_SECRET: 'signing-secret',
      DISCORD_TOKEN: 'di.scord.secret',
      DISCORD_APPLICATION_ID: '12345678901234567',
      CLICKHOUSE_URL: 'https://reader:p%40ssword@host:8443',
      OPENAI_BASE_URL: 'https://gateway:through-secret@models.example/v1',
      REDIS_URL: 'redis+sentinel://:hidden-too@a:1,b:2/main',
    })
    expect([...secrets].sort()).toEqual(
      [
        'di.scord.secret',
        'hidden-too',
        'p%40ssword',
        'p@ssword',
        'signing-secret',
        'through-secret',
        'sk-secret',
        'xapp-secret',
        'xoxb-secret',
      ].sort(),
    )
  })

  it.each([
    ['redis://alone-secret@host:6379', ['alone-secret']],
    ['redis+sentinel://u:first-one@a,b/0?name=main&sentinelPassword=second%21', ['first-one', 'second!', 'second%21']],
    ['redis://host:6379', []],
    ['unix:///run/redis.sock', []],
  ])('finds the passwords of %s', (url, passwords) => {
    expect([...readConfig({ REDIS_URL: url }).secrets].sort()).toEqual([...passwords].sort())
  })

  it('is frozen', () => {
    expect(Object.isFrozen(readConfig({}))).toBe(true)
  })
})

describe('the data sources', () => {
  const CLEW_SOURCES_FILE = new URL('../../sources.example.yaml', import.meta.url).pathname
  const env = { CLEW_SOURCES_FILE, CLICKHOUSE_URL: 'http://host:8123', CRM_URL: 'postgres://reader:crm-secret@host/crm' }

  it('come from the file, with passwords that no log shows and the common private columns', () => {
    const config = readConfig({ ...env, CLEW_PRIVATE_COLUMNS: 'phone' })
    expect(config.sources?.map(({ id, privateColumns }) => [id, privateColumns])).toEqual([
      ['telemetry', ['phone']],
      ['crm', ['phone', 'customers.email']],
    ])
    expect(config.secrets).toContain('crm-secret')
    expect(config.variables).toContain('CRM_URL_FILE')
  })

  it('may have their addresses in files', () => {
    expect(() => readConfig({ ...env, CRM_URL: '', CRM_URL_FILE: '/nowhere/url' })).toThrow('CRM_URL_FILE is /nowhere/url')
  })

  it('are undefined without the file', () => {
    expect(readConfig({}).sources).toBeUndefined()
  })
})
