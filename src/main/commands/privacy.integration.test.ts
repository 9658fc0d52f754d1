import { expect, it } from '@jest/globals'
import { runClew } from '../../../test/support/run-clew.ts'

it('clew privacy lists what is kept where, with the times and private columns that are set', async () => {
  const { status, output } = await runClew(['privacy'], {
    CLEW_TRACE_RETENTION_DAYS: '3',
    CLEW_PRIVATE_COLUMNS: 'email,users.phone',
  })
  expect(status).toBe(0)
  for (const part of ['endpoint', 'conversation', 'system.query_log', '3 days', '365 days', 'email, users.phone'])
    expect(output).toContain(part)
  // Each variable is told with its time.
  expect(output).not.toMatch(/_DAYS \(\d/)
})
