import { describe, expect, it } from '@jest/globals'
import { columnOf, schemaOf, tableOf } from '../../test/support/schema-fixture.ts'
import type { ValidationVerdict } from '../clickhouse/validation/query-validator.ts'
import { WarehouseError } from '../clickhouse/warehouse-error.ts'
import { RunLog } from '../history/run-log.ts'
import { createLogger } from '../logger.ts'
import { createMemoryStateStore } from '../store/memory-state-store.ts'
import { execute } from './execute.ts'
import type { RunContext } from './run-context.ts'

const schema = schemaOf(tableOf('orders', { columns: [columnOf('amount', 'UInt64')] }))
const signal = new AbortController().signal

/** Runs one query against a validator and a server that say this. */
async function run(verdict: ValidationVerdict, failure?: WarehouseError) {
  const ran: string[] = []
  const alarms: string[] = []
  const logger = createLogger({ level: 'error', destination: { write: (line: string) => void alarms.push(line) } })
  const log = await RunLog.open('run', { store: createMemoryStateStore({ now: Date.now }), now: Date.now }, signal)
  const deps = {
    guard: { check: async () => ({ verdict: 'allow', canonical: 'SELECT canonical', tables: ['shop.orders'], functions: [] }) },
    validator: { check: async () => verdict },
    warehouse: {
      read: async ({ sql }: { readonly sql: string }) => {
        ran.push(sql)
        if (failure !== undefined) throw failure
        return { columns: [], rows: [], truncated: false, elapsedMs: 1, queryId: 'q', rowsRead: 0, bytesRead: 0 }
      },
    },
    logger,
    settings: { databases: ['shop'], maxRows: 10 },
  }
  const context = { deps, log, observe: () => undefined } as unknown as RunContext
  const outcome = await execute(context, { schema, id: 'Q1', attempt: 1, sql: 'SELECT drafted' }, signal)
  return { outcome, ran, alarms, steps: log.entries().map(entry => entry.step) }
}

describe('execute', () => {
  it('does not run what was found wrong', async () => {
    const { outcome, ran, steps } = await run({ verdict: 'invalid', kind: 'type', message: 'No.', suggestions: [] })
    expect(outcome).toEqual({ kind: 'failed', error: 'type', message: 'No.', sql: 'SELECT drafted' })
    expect(ran).toEqual([])
    expect(steps).toEqual(['validate', 'execute'])
  })

  it.each<ValidationVerdict>([{ verdict: 'valid' }, { verdict: 'unchecked', reason: 'slow' }])(
    'runs what is $verdict',
    async verdict => {
      const { outcome, ran } = await run(verdict)
      expect(outcome).toMatchObject({ kind: 'succeeded', sql: 'SELECT canonical' })
      expect(ran).toEqual(['SELECT canonical'])
    },
  )

  it('tells near names when the engine finds an unknown name only in the run', async () => {
    const message = 'Unknown expression identifier `amont` in scope SELECT amont FROM orders.'
    const { outcome } = await run(
      { verdict: 'unchecked', reason: 'slow' },
      new WarehouseError(message, { kind: 'unknown_name', serverCode: 47 }),
    )
    expect(outcome).toMatchObject({
      error: 'unknown_name',
      message: 'There is no column amont in shop.orders; near: amount. Its columns are: amount.',
    })
  })

  it('raises the alarm, and keeps the engine’s words, when the server denies what the guard allowed', async () => {
    const denied = new WarehouseError('Not enough privileges.', { kind: 'denied', serverCode: 497 })
    const { outcome, alarms } = await run({ verdict: 'valid' }, denied)
    expect(outcome).toMatchObject({ error: 'denied', message: 'Not enough privileges.' })
    expect(alarms.join('')).toContain('the server denied what the guard allowed')
  })
})
