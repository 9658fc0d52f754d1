import { once } from 'node:events'
import { createServer } from 'node:net'
import { z } from 'zod'
import type { Report } from '../base/check.ts'
import { errorMessage } from '../base/errors.ts'

const healthSchema = z.object({ status: z.literal('ok') })

/** Checks that the port for health and readiness is free. Opens the port and closes it at once. */
export async function checkPort(port: number, report: Report, signal: AbortSignal): Promise<void> {
  const check = 'port'
  const server = createServer()
  try {
    server.listen(port)
    await once(server, 'listening', { signal })
    report({ check, state: 'ok', found: port === 0 ? 'any free one is taken (PORT is 0)' : `${port} is free` })
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
    if (code !== 'EADDRINUSE') {
      const advice = 'Set PORT to another one; those below 1024 need rights of their own.'
      report({ check, state: 'failed', found: `${port} cannot be served: ${errorMessage(error)}`, advice })
    } else if (await isServedByClew(port, signal)) {
      report({ check, state: 'ok', found: `${port} is served by a Clew process; each needs a PORT of its own on one machine` })
    } else {
      report({ check, state: 'failed', found: `${port} is taken by another program`, advice: 'Set PORT to a free one.' })
    }
  } finally {
    if (server.listening) await new Promise(resolve => server.close(resolve))
  }
}

async function isServedByClew(port: number, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health`, { signal })
    return healthSchema.safeParse(await response.json()).success
  } catch {
    return false
  }
}
