import { mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import * as scripts from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { runSql, startPostgres } from '../../../test/support/postgres.ts'
import { openPseudoTerminal, type PseudoTerminal } from '../../../test/support/pseudo-terminal.ts'
import { startTestRedis, type TestRedis } from '../../../test/support/redis.ts'
import { runClew } from '../../../test/support/run-clew.ts'
import { withSettings } from './init.ts'

const ENTER = '\r'
const DOWN = '\u001b[B'
const CTRL_C = '\u0003'
const CTRL_U = '\u0015'
const KEY = 'sk-a-secret-key'

let engine: TestEngine
let redis: TestRedis
let model: ScriptedModel
/** An empty folder for each test. */
let folder: string

beforeAll(async () => {
  ;[engine, redis, model] = await Promise.all([
    startTestEngine(),
    startTestRedis(),
    startScriptedModel({ onRequest: () => scripts.answer({ numbers: ['one', 'two'] }) }),
  ])
  const sql = 'CREATE TABLE default.orders (id UInt64) ENGINE = MergeTree ORDER BY id'
  await engine.warehouse.write({ sql }, AbortSignal.timeout(10_000))
})
afterAll(async () => {
  await model?.close()
  await redis?.close()
  await engine?.close()
})
let terminal: PseudoTerminal
/** How much the terminal had shown when the last key was typed. */
let typedAt: number
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-init-'))
})
afterEach(async () => {
  terminal?.child.kill()
  await rm(folder, { recursive: true, force: true })
})

const file = () => readFile(join(folder, '.env'), 'utf8')
const begin = () => {
  typedAt = 0
  terminal = openPseudoTerminal(['init'], { NO_COLOR: '1' }, folder)
}

/** Answers prompts one after another, each when it has appeared. */
async function answered(...answers: readonly (readonly [prompt: string, keys: string])[]) {
  for (const [prompt, keys] of answers) {
    await terminal.shows(prompt, typedAt)
    typedAt = terminal.shown().length
    terminal.type(keys)
  }
}

const warehouse = () => {
  const { host, username, password } = new URL(engine.url)
  return [
    ['Where is your data?', `${DOWN}${DOWN}${ENTER}`],
    ['Where is ClickHouse?', `http://${host}${ENTER}`],
    ['User, if it has one', `${username}${ENTER}`],
    ['Password, if it has one', `${password}${ENTER}`],
    ['Which databases', ENTER],
  ] as const
}

describe('clew init', () => {
  it('tries each part, and writes settings that the next command reads', async () => {
    begin()
    await answered(...warehouse())
    await answered(
      ['Where is the model?', `${model.baseUrl}${ENTER}`],
      ['Key of the model', `${KEY}${ENTER}`],
      ['Name of the model', ENTER],
      ['Where is Redis?', `unix://nowhere${ENTER}`],
      ['What now?', ENTER],
      // The answer from before can be corrected.
      ['unix://nowhere', `${CTRL_U}${redis.url}${ENTER}`],
    )
    await answered(['answer in Slack?', ENTER], ['answer in Discord?', ENTER], ['Next:', ''])
    expect(await terminal.ended).toBe(0)

    expect(terminal.shown()).toMatch(/ok +warehouse +tables: /)
    expect(terminal.shown()).toMatch(/ok +model /)
    expect(terminal.shown()).not.toContain(KEY)
    expect(terminal.shown()).not.toContain(new URL(engine.url).password)
    expect(await file()).toBe(
      [
        '# Written by clew init. docs/configuration.md lists every variable.',
        `CLICKHOUSE_URL=${engine.url}`,
        'CLICKHOUSE_DATABASE=default',
        `OPENAI_BASE_URL=${model.baseUrl}`,
        `OPENAI_API_KEY=${KEY}`,
        'OPENAI_MODEL=gpt-5-mini',
        `REDIS_URL=${redis.url}`,
        '',
      ].join('\n'),
    )
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600)
    const { output } = await runClew(['--env', '.env', 'schema'], {}, { cwd: folder })
    expect(output).toMatch(/orders/)
  }, 25_000)

  it('leaves a file alone whose owner does not want it changed', async () => {
    await writeFile(join(folder, '.env'), 'OPENAI_MODEL=mine\n')
    begin()
    await answered(['There is a .env already.', `n`], ['Nothing was written', ''])
    expect([await terminal.ended, await file()]).toEqual([0, 'OPENAI_MODEL=mine\n'])
  })

  it('writes nothing if it is stopped, although a part has passed', async () => {
    begin()
    await answered(...warehouse(), ['Where is the model?', CTRL_C], ['Nothing was written', ''])
    expect([await terminal.ended, await readdir(folder)]).toEqual([1, []])
  }, 25_000)

  it('keeps a part out that does not work', async () => {
    begin()
    await answered(
      ['Where is your data?', `${DOWN}${DOWN}${ENTER}`],
      ['Where is ClickHouse?', `ftp://host${ENTER}`],
      ['Which databases', ENTER],
      ['What now?', `${DOWN}${DOWN}${ENTER}`],
      ['Where is the model?', ENTER],
      ['Key of the model', ENTER],
      ['Where is Redis?', ENTER],
      ['answer in Slack?', ENTER],
      ['answer in Discord?', ENTER],
      ['Nothing was written', ''],
    )
    expect(terminal.shown()).toContain('CLICKHOUSE_URL must start with `http://`, `https://` or `chdb:`')
    expect([await terminal.ended, await readdir(folder)]).toEqual([0, []])
  }, 25_000)

  const otherPartsOut = [
    ['Where is the model?', ENTER],
    ['Key of the model', ENTER],
    ['Where is Redis?', ENTER],
    ['answer in Slack?', ENTER],
    ['answer in Discord?', ENTER],
  ] as const

  it('sets up a folder for files, and says how to load them', async () => {
    begin()
    await answered(['Where is your data?', ENTER], ['Which folder', ENTER], ...otherPartsOut, ['Next:', ''])
    expect(await terminal.ended).toBe(0)
    expect(parseEnv(await file())).toEqual({ CLICKHOUSE_URL: `chdb:${await realpath(folder)}/clew-data` })
    expect(terminal.shown()).toContain('clew --env .env load FILE…')
    await writeFile(join(folder, 'a.csv'), 'id\n1\n')
    const { status } = await runClew(['--env', '.env', 'load', '--yes', 'a.csv'], {}, { cwd: folder })
    expect(status).toBe(0)
  }, 40_000)

  it('tries Postgres, and writes the file of sources that the next command reads', async () => {
    const postgres = await startPostgres()
    try {
      await runSql(postgres.adminUrl, 'CREATE TABLE public.customers (id int); GRANT SELECT ON public.customers TO PUBLIC')
      const { host, pathname, username, password } = new URL(postgres.url)
      begin()
      await answered(
        ['Where is your data?', `${DOWN}${ENTER}`],
        ['Where is Postgres?', `postgres://${host}${pathname}${ENTER}`],
        ['User, if it has one', `${username}${ENTER}`],
        ['Password, if it has one', `${password}${ENTER}`],
        ['Which schemas', ENTER],
        ...otherPartsOut,
        ['Next:', ''],
      )
      expect(await terminal.ended).toBe(0)
      expect(terminal.shown()).toMatch(/ok +source postgres +tables: public: 1 table/)
      const path = join(await realpath(folder), 'sources.yaml')
      expect(parseEnv(await file())).toEqual({ POSTGRES_URL: postgres.url, CLEW_SOURCES_FILE: path })
      const { output } = await runClew(['--env', '.env', 'sources'], {}, { cwd: folder })
      expect(output).toMatch(/postgres .* 1 .* reachable/)
    } finally {
      await postgres.stop()
    }
  }, 60_000)

  it('leaves a file of sources alone', async () => {
    await writeFile(join(folder, 'sources.yaml'), 'mine')
    begin()
    await answered(['Where is your data?', `${DOWN}${ENTER}`], ...otherPartsOut, ['Nothing was written', ''])
    expect(terminal.shown()).toContain('There is a sources.yaml already')
    expect([await terminal.ended, await readdir(folder)]).toEqual([0, ['sources.yaml']])
  }, 25_000)

  it('needs a terminal', async () => {
    const { status, errors } = await runClew(['init'], {}, { cwd: folder })
    expect([status, errors]).toEqual([2, expect.stringMatching(/^clew init asks questions, so it needs a terminal\.[^\n]+\n$/)])
  })
})

describe('withSettings', () => {
  it('keeps the lines of a file, except those that set the same variables', () => {
    const before = '# mine\nREDIS_URL=redis://old\nexport OPENAI_API_KEY=old\n#OPENAI_MODEL=x\nPORT=1'
    const settings = { REDIS_URL: 'redis://$&', OPENAI_API_KEY: 'new', OPENAI_MODEL: 'm' }
    expect(withSettings(before, settings)).toBe(
      "# mine\nREDIS_URL='redis://$&'\nOPENAI_API_KEY=new\n#OPENAI_MODEL=x\nPORT=1\nOPENAI_MODEL=m\n",
    )
  })

  it.each(['pass#word', 'two words', "it's #1", 'a"b\'c d'])('writes %j so that it is read as it is', value => {
    expect(parseEnv(withSettings('', { VALUE: value })).VALUE).toBe(value)
  })
})
