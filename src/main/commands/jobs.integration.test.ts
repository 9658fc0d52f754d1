import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { answer, toolCalls } from '../../../test/emulators/model/model-scripts.ts'
import { type ScriptedModel, startScriptedModel } from '../../../test/emulators/model/scripted-model.ts'
import { startTestEngine, type TestEngine } from '../../../test/support/engine.ts'
import { FOREIGN_RUN, writeForeignRun } from '../../../test/support/foreign-run.ts'
import { runClew } from '../../../test/support/run-clew.ts'

jest.setTimeout(90_000)

const DEFINITION = `
name: counts
arguments: { least: 1 }
inputs: { raw: { source: SELECT number AS n FROM numbers(10) } }
operations: [{ name: large, sql: "SELECT n FROM {{ raw }} WHERE n >= {{ arguments.least }}" }]
target: { operation: large, table: large_numbers }
`

/** The model's look-ups, and its answer. */
const NUMBERS = { sql: 'SELECT count() AS numbers FROM pipelines.large_numbers', says: 'There are 5 numbers [E1].' }
const TRIPS = { sql: 'SELECT countIf(empty(bike)) AS lost FROM {{ trips }}', says: '`clean trips` leaves out 1 trip [E1].' }

let engine: TestEngine
let model: ScriptedModel
let folder: string
let env: Readonly<Record<string, string>>
beforeAll(async () => {
  engine = await startTestEngine()
  const { writer } = await engine.engine.endpoint(AbortSignal.timeout(10_000))
  model = await startScriptedModel({
    onRequest: ({ body }) => {
      const { sql, says } = JSON.stringify(body.messages).includes(FOREIGN_RUN) ? TRIPS : NUMBERS
      const isAsked = body.messages.every(({ role }) => role !== 'tool')
      return isAsked ? toolCalls({ name: 'query_table', arguments: { sql } }) : answer(says)
    },
  })
  folder = await mkdtemp(join(tmpdir(), 'clew-jobs-'))
  await writeFile(join(folder, 'counts.yaml'), DEFINITION)
  await writeFile(join(folder, 'cycle.yaml'), DEFINITION.replace('{{ raw }}', '{{ raw }}, {{ large }}'))
  await writeFile(join(folder, 'typo.yaml'), DEFINITION.replace('SELECT number', 'SELEC number'))
  env = {
    CLICKHOUSE_URL: writer.url.replace('//', `//${writer.username}:${writer.password}@`),
    OPENAI_BASE_URL: model.baseUrl,
  }
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await model?.close()
  await engine?.close()
})

const clew = (...args: readonly string[]) => runClew(args, env)

describe('clew jobs and clew lineage', () => {
  it('give advice before any setup, and about mistakes in a definition', async () => {
    expect(await clew('jobs', 'list')).toMatchObject({ status: 2, errors: expect.stringContaining('run `clew migrate`') })
    expect(await clew('migrate')).toMatchObject({ status: 0, output: expect.stringContaining('0001-pipelines.sql') })
    expect(await clew('jobs', 'register', join(folder, 'cycle.yaml'))).toMatchObject({
      status: 1,
      errors: expect.stringContaining('operations that need each other: large → large'),
    })
    expect(await clew('jobs', 'show', 'nosuch')).toMatchObject({
      status: 1,
      errors: 'No job and no run is called nosuch: `clew jobs list` shows the jobs.\n',
    })
    expect(await clew('jobs', 'register', 'nowhere.yaml')).toMatchObject({
      status: 2,
      errors: 'The definition in nowhere.yaml cannot be read: there is no such file or folder.\n',
    })
    expect(await clew('jobs', 'register', join(folder, 'typo.yaml'))).toMatchObject({
      status: 1,
      errors: expect.stringMatching(
        /inputs\.raw: Syntax error: failed at position 1 \(SELEC\): SELEC number AS n FROM numbers\(10\)\.\n$/,
      ),
    })
    const unreachable = await runClew(['jobs', 'list'], { ...env, CLEW_WRITER_URL: 'http://127.0.0.1:9' })
    expect(unreachable.errors).toContain('CLEW_WRITER_URL: the server cannot be used: ')
    expect(await clew('jobs', 'run', 'counts')).toMatchObject({
      status: 1,
      errors: expect.stringContaining('There is no job counts'),
    })
  })

  it('register, run and inspect a job', async () => {
    expect(await clew('jobs', 'register', join(folder, 'counts.yaml'))).toMatchObject({
      status: 0,
      output: 'counts is registered as version 1.\n',
    })
    expect(await clew('jobs', 'show', 'counts')).toMatchObject({
      status: 0,
      output: 'counts has not run yet. Run it with clew jobs run counts.\n',
    })
    expect(await clew('lineage', 'counts')).toMatchObject({
      status: 1,
      errors: expect.stringContaining('The job counts has not run yet: `clew jobs run counts` runs it.'),
    })
    const run = await clew('jobs', 'run', 'counts', '--kwargs', '{"least": 5}')
    expect(run).toMatchObject({
      status: 0,
      output: expect.stringMatching(/^job_[0-9a-f]{16} \(counts, version 1\): COMPLETED after/),
    })
    expect(run.errors).toContain('✓ operation:large: 5 rows')
    const shown = (await clew('jobs', 'show', 'counts')).output
    expect([...shown.matchAll(/│ (\w+:\w+)\s+│ COMPLETED/g)].map(([, task]) => task)).toEqual([
      'input:raw',
      'operation:large',
      expect.stringMatching(/^target:/),
    ])
    expect(shown).not.toContain('error')
    const picture = join(folder, 'counts.png')
    const seen = await clew('lineage', '--picture', picture, 'counts')
    expect(seen.output).toContain('◆ large_numbers  target, 5 rows  ← large')
    expect(seen.errors).toContain(`The graph is in ${picture}.`)
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG')
    const nowhere = join(folder, 'nowhere', 'counts.png')
    const asked = await clew('lineage', '--json', '--picture', nowhere, 'counts', 'how many numbers are there?')
    expect(asked).toMatchObject({
      status: 2,
      errors: expect.stringContaining(`could not be written to ${nowhere}: there is no such file or folder.`),
    })
    expect(JSON.parse(asked.output)).toMatchObject({
      job: 'counts',
      tier: 1,
      root_cause: 'There are 5 numbers.',
      evidence: [{ id: 'E1', table: 'large_numbers', columns: [{ name: 'numbers' }], rows: [['5']] }],
      tool_calls: [{ tool: 'query_table', ok: true, error_kind: null }],
      replay: null,
      rounds: 1,
      citations: { unsupported: [] },
    })
  })

  it('answer nothing about a job that the audit log cannot record, where it must', async () => {
    const required = { ...env, CLEW_REQUIRE_AUDIT: '1' }
    const ask = () => runClew(['lineage', '--json', 'counts', 'how many numbers are there?'], required)
    const rename = (sql: string) => engine.warehouse.write({ sql }, AbortSignal.timeout(20_000))
    await rename('RENAME TABLE clew.audit_log TO clew.away')
    const { status, output, errors } = await ask()
    expect([status, JSON.parse(output)]).toMatchObject([1, { error: { kind: 'run_unrecorded' } }])
    expect(errors).toContain('the audit log')
    await rename('RENAME TABLE clew.away TO clew.audit_log')
    expect(await ask()).toMatchObject({ status: 0, output: expect.stringContaining('There are 5 numbers') })
  })

  it("show another runner's log, by run id and by target", async () => {
    await writeForeignRun(engine, AbortSignal.timeout(20_000))
    for (const name of [FOREIGN_RUN, 'trips per bike', 'bikes.trips_per_bike']) {
      const seen = await clew('lineage', name)
      expect(seen.output).toContain(
        `trips per bike, last run ${FOREIGN_RUN}: COMPLETED, started 2026-03-01 06:00 UTC, took 2.5 s. Another runner has logged this run:`,
      )
      expect(seen.output).toContain('◆ trips per bike  target, 1 row  ← clean trips')
    }
    const picture = join(folder, 'trips.png')
    for (const name of [FOREIGN_RUN, 'trips_per_bike']) {
      const asked = await clew('lineage', '--json', '--picture', picture, name, 'why is a trip missing?')
      expect(JSON.parse(asked.output)).toMatchObject({
        job: 'trips per bike',
        job_id: FOREIGN_RUN,
        answer: expect.stringContaining('leaves out 1 trip [E1].'),
        evidence: [{ id: 'E1', columns: [{ name: 'lost' }], rows: [['1']] }],
        tool_calls: [{ tool: 'query_table', ok: true }],
        replay: null,
      })
      expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG')
    }
    expect(await clew('jobs', 'show', FOREIGN_RUN)).toMatchObject({
      status: 1,
      errors: `${FOREIGN_RUN} was not run by Clew: another runner has logged it. \`clew lineage ${FOREIGN_RUN}\` shows what it did.\n`,
    })
    expect(await clew('lineage', '--deep', FOREIGN_RUN, 'how many trips?')).toMatchObject({
      status: 1,
      errors: `The run ${FOREIGN_RUN} cannot be run again: another runner has logged it, and Clew has no definition of it. Ask without --deep.\n`,
    })
  })
})
