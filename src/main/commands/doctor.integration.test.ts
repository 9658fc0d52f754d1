import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../../../test/emulators/discord/discord-emulator.ts'
import * as scripts from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { type SlackEmulator, startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import { TEST_STATE_KEY } from '../../../test/support/state-key.ts'
import { SLACK_BOT_SCOPES } from '../../bots/slack/app.ts'

let engine: TestEngine
let redis: TestRedis
let model: ScriptedModel
let slack: SlackEmulator
let discord: DiscordEmulator

beforeAll(async () => {
  const starting = [startTestEngine(), startTestRedis()] as const
  model = await startScriptedModel({ onRequest: () => scripts.answer({ numbers: ['one', 'two'] }) })
  slack = await startSlackEmulator({ botScopes: Object.keys(SLACK_BOT_SCOPES) })
  discord = await startDiscordEmulator()
  ;[engine, redis] = await Promise.all(starting)
  const sql = 'CREATE TABLE default.orders (id UInt64) ENGINE = MergeTree ORDER BY id'
  await engine.warehouse.write({ sql }, AbortSignal.timeout(10_000))
})
afterAll(async () => {
  await discord?.close()
  await slack?.close()
  await model?.close()
  await redis?.close()
  await engine?.close()
})

describe('clew doctor', () => {
  it('exits with 0 if nothing failed, and prints one object', async () => {
    const { status, output } = await doctor(everything(), '--json')
    const { ok, checks } = JSON.parse(output)
    expect({ status, ok }).toEqual({ status: 0, ok: true })
    expect([...new Set(checks.map((check: { part: string }) => check.part))]).toEqual([
      'warehouse',
      'redis',
      'model',
      'slack',
      'discord',
      'files',
      'access',
      'health',
    ])
    expect(checks.filter((check: { state: string }) => check.state === 'failed')).toEqual([])
  })

  it('exits with 1 if one part failed, and still checks the others', async () => {
    const { status, output } = await doctor({ ...everything(), CLICKHOUSE_DATABASE: 'nowhere', CLEW_DOMAIN_DIR: 'src' })
    expect(status).toBe(1)
    expect(output).toMatch(/^failed +warehouse +tables: nowhere: there is no such database/m)
    expect(output).toMatch(/^ok +files +prompts: complete, as they ship/m)
    expect(output).toMatch(
      /^failed +files +domain pack: CLEW_DOMAIN_DIR is \/.*\/src, which is not there or holds none of.*\n +→ Correct what CLEW_DOMAIN_DIR names/m,
    )
    expect(output).toMatch(/^ok +redis +eviction: /m)
    expect(output).toMatch(/^ok +slack +scopes: /m)
    expect(output).toMatch(/^warning +discord +commands: /m)
    expect(output).toMatch(/^2 failed, /m)
  })

  it('gives advice about an unusable engine folder, and about each folder of files', async () => {
    const { output } = await doctor({
      CLICKHOUSE_URL: 'chdb:package.json',
      CLEW_PROMPTS_DIR: 'src',
      CLEW_DOMAIN_DIR: 'demo/domain',
    })
    expect(output).toMatch(/^failed +warehouse .*\n +→ Make package\.json a folder that this user may write/m)
    expect(output).toMatch(
      /^failed +files +prompts: CLEW_PROMPTS_DIR is .*\n +→ Correct what CLEW_PROMPTS_DIR names, or unset it/m,
    )
    expect(output).toMatch(/^ok +files +domain pack: \d+ characters from demo\/domain/m)
  })

  it('reports mistakes in the access rules with their place', async () => {
    const { status, output } = await doctor({ CLEW_ACCESS_FILE: 'access.example.yaml', CLICKHOUSE_URL: engine.url })
    expect(status).toBe(1)
    expect(output).toMatch(/^ok +access +rules: 3 roles, 2 workspaces; people without one have viewer/m)
    expect(output).toMatch(/^warning +access +tables: no table fits viewer: shop\.orders/m)
    const other = await doctor({ CLEW_ACCESS_FILE: 'app.manifest.yaml' })
    expect(other.output).toMatch(/^failed +access +answer: app\.manifest\.yaml is wrong:\n +- line \d: version must be 1\n +- /m)
    expect(other.output).toMatch(/^ +docs\/access\.md tells what belongs into it\.\n +→ Correct the file/m)
  })

  it('checks the writer of pipelines, if there is one', async () => {
    const { output } = await doctor({ CLEW_WRITER_URL: engine.url })
    expect(output).toMatch(/^failed +pipelines +answer: The database clew or a table in it is missing: run `clew migrate`/m)
    const other = await doctor({ CLEW_WRITER_URL: 'http://127.0.0.1:9' })
    expect(other.output).toMatch(
      /^failed +pipelines +answer: CLEW_WRITER_URL: the server cannot be used: .+\n +→ Correct CLEW_WRITER_URL/m,
    )
  })

  it('says how to set missing variables, and fails nothing', async () => {
    const { status, output } = await doctor({})
    expect(status).toBe(0)
    for (const variable of ['CLICKHOUSE_URL', 'REDIS_URL', 'OPENAI_API_KEY', 'SLACK_BOT_TOKEN', 'DISCORD_TOKEN'])
      expect(output).toContain(`Set ${variable}`)
  })

  it('exits with 2 for an unreadable configuration', async () => {
    const { status, errors } = await doctor({ CLICKHOUSE_URL: 'mysql://somewhere' })
    expect(status).toBe(2)
    expect(errors).toContain('CLICKHOUSE_URL must start with')
  })

  it('reveals no secret', async () => {
    const password = new URL(redis.url).password
    const { output, errors } = await doctor({ ...everything(), OPENAI_API_KEY: 'sk-very-secret-key' })
    for (const secret of [password, 'sk-very-secret-key', slack.botToken, slack.appToken, discord.botToken]) {
      expect(output).not.toContain(secret)
      expect(errors).not.toContain(secret)
    }
  })
})

function everything(): Record<string, string> {
  return {
    CLICKHOUSE_URL: engine.url,
    REDIS_URL: redis.url,
    CLEW_STATE_KEY: TEST_STATE_KEY,
    OPENAI_BASE_URL: model.baseUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: slack.apiUrl,
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
  }
}

/** Runs the compiled program. Of this process's environment, it gets only PATH. */
async function doctor(environment: Readonly<Record<string, string>>, ...options: readonly string[]) {
  const env = { PATH: process.env.PATH ?? '', PORT: '0', ...environment }
  const child = spawn(process.execPath, ['bin/clew.mjs', 'doctor', ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', part => {
    output += part
  })
  child.stderr.setEncoding('utf8').on('data', part => {
    errors += part
  })
  const [status] = await once(child, 'close')
  return { status, output, errors }
}
