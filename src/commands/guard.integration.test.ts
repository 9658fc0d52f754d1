import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestEngine, type TestEngine } from '../../test/support/engine.ts'
import { ConfigurationError } from '../errors.ts'
import { guardCommand, parseGuardScope } from './guard.ts'

let engine: TestEngine

beforeAll(async () => {
  engine = await startTestEngine()
}, 60_000)

afterAll(async () => {
  await engine.close()
})

/** Nothing of the scope exists in this engine: the command needs no data. */
async function judge(lines: readonly string[]) {
  const output = new PassThrough()
  const scope = parseGuardScope('demo.p_orders,other.users')
  const counts = await guardCommand(
    {
      scope: scope.tables,
      database: scope.database,
      input: Readable.from(lines.map(line => `${line}\n`)),
      output,
      warehouse: engine.warehouse,
    },
    new AbortController().signal,
  )
  output.end()
  const printed = (await text(output)).split('\n').filter(line => line !== '')
  return { counts, verdicts: printed.map(line => JSON.parse(line) as Record<string, unknown>) }
}

describe('guardCommand', () => {
  it('prints a verdict with the same keys for each line, in order', async () => {
    const { counts, verdicts } = await judge([
      '{"id":"a","sql":"SELECT max(id) FROM p_orders"}',
      '',
      '{"id":2,"sql":"SELECT * FROM secrets"}',
      '{"id":"c","sql":"SELECT count() FROM other.users -- all"}',
    ])
    expect(counts).toEqual({ judged: 3, malformed: 0 })
    expect(verdicts).toEqual([
      {
        id: 'a',
        verdict: 'allow',
        code: null,
        message: null,
        canonical: 'SELECT max(id) FROM p_orders',
        tables: ['demo.p_orders'],
        functions: ['max'],
      },
      {
        id: 2,
        verdict: 'reject',
        code: 'out_of_scope',
        message: 'Table secrets is not available. Available: p_orders, other.users.',
        canonical: null,
        tables: [],
        functions: [],
      },
      {
        id: 'c',
        verdict: 'allow',
        code: null,
        message: null,
        canonical: 'SELECT count() FROM other.users',
        tables: ['other.users'],
        functions: ['count'],
      },
    ])
  })

  it('answers a malformed line with an error line and goes on', async () => {
    const { counts, verdicts } = await judge(['SELECT 1', '{"id":"x"}', '{"id":"y","sql":"SELECT 1"}'])
    expect(counts).toEqual({ judged: 1, malformed: 2 })
    expect(verdicts.map(({ id, code }) => ({ id, code }))).toEqual([
      { id: null, code: 'malformed_line' },
      { id: null, code: 'malformed_line' },
      { id: 'y', code: null },
    ])
  })

  it('prints each verdict before it needs the next line', async () => {
    const input = new PassThrough()
    const output = new PassThrough()
    const scope = parseGuardScope('demo.p_orders')
    const ended = guardCommand(
      { scope: scope.tables, database: scope.database, input, output, warehouse: engine.warehouse },
      new AbortController().signal,
    )
    input.write('{"id":1,"sql":"SELECT 1"}\n')
    const [first] = await new Promise<[Buffer]>(resolve => output.once('data', (chunk: Buffer) => resolve([chunk])))
    expect(JSON.parse(first.toString())).toMatchObject({ id: 1, verdict: 'allow' })
    input.end()
    expect(await ended).toEqual({ judged: 1, malformed: 0 })
  })
})

describe('parseGuardScope', () => {
  it('takes the first table’s database as the current one', () => {
    expect(parseGuardScope('b.x, a.y')).toEqual({ database: 'b', tables: new Set(['b.x', 'a.y']) })
  })

  it.each(['', 'orders', 'a.b,', 'a.b.c', '.x', 'a.'])('refuses %j', text => {
    expect(() => parseGuardScope(text)).toThrow(ConfigurationError)
  })
})
