import { afterEach, describe, expect, it } from '@jest/globals'
import { AuditLog } from '../../audit/log.ts'
import { Breakers } from '../../base/breaker.ts'
import { Resources } from '../../base/lifecycle.ts'
import { createLogger } from '../../base/logger.ts'
import { Observers } from '../../telemetry/observation.ts'
import { readConfig } from '../config.ts'
import { EXIT } from './command-context.ts'
import { serveUntilStopped } from './serve-until-stopped.ts'

const logger = createLogger({ level: 'silent' })
const resources = new Resources()
afterEach(() => resources.close(logger))

function contextOf(signal: AbortSignal) {
  const config = { ...readConfig({}), port: 0 }
  const { stdout: output, stderr: errorOutput } = process
  const audit = new AuditLog({ open: async () => undefined, now: Date.now, logger })
  const watched = { observers: new Observers(), breakers: new Breakers(), audit }
  return { config, logger, resources, signal, output, errorOutput, language: 'en' as const, run: { id: null }, ...watched }
}

describe('a process that serves', () => {
  it('ends normally if it is stopped while it starts', async () => {
    const stopping = new AbortController()
    const start = async () => {
      stopping.abort('SIGTERM')
      throw stopping.signal.reason
    }
    expect(await serveUntilStopped(contextOf(stopping.signal), start)).toBe(EXIT.answered)
  })

  it('ends with the error of its start', async () => {
    const start = () => Promise.reject(new Error('no Redis'))
    await expect(serveUntilStopped(contextOf(new AbortController().signal), start)).rejects.toThrow('no Redis')
  })
})
