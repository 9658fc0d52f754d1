import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from '@jest/globals'
import { type CheckResult, runCheck } from '../base/check.ts'
import { createLogger } from '../base/logger.ts'
import { checkPort } from './check-port.ts'
import { startHealthServer } from './health-server.ts'

describe('checkPort', () => {
  it('finds a free port, and leaves it free', async () => {
    const health = await startHealthServer({ port: 0, checks: {}, logger: createLogger({ level: 'silent' }) })
    await health.close()
    expect(await check(health.port)).toEqual([expect.objectContaining({ state: 'ok', found: `${health.port} is free` })])
    expect(await check(health.port)).toEqual([expect.objectContaining({ state: 'ok', found: `${health.port} is free` })])
  })

  it('recognizes a Clew process on the port', async () => {
    const health = await startHealthServer({ port: 0, checks: {}, logger: createLogger({ level: 'silent' }) })
    expect(await check(health.port)).toEqual([
      expect.objectContaining({ state: 'ok', found: expect.stringContaining('a Clew process') }),
    ])
    await health.close()
  })

  it('fails if another program uses the port', async () => {
    const other = createServer((_, response) => response.end('hello')).listen(0)
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    expect(await check(port)).toEqual([expect.objectContaining({ state: 'failed', advice: 'Set PORT to a free one.' })])
    other.closeAllConnections()
    other.close()
    await once(other, 'close')
  })
})

function check(port: number): Promise<readonly CheckResult[]> {
  return runCheck(
    { part: 'health', timeoutMs: 5000, advice: '' },
    (report, ended) => checkPort(port, report, ended),
    new AbortController().signal,
  )
}
