import { once } from 'node:events'
import { type HealthServer, type ReadinessCheck, startHealthServer } from '../../telemetry/health-server.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/**
 * Serves health and readiness, starts the actual service, and returns when the command is stopped. `runCommand` closes
 * everything. The health port opens first, because a process must not begin to work unless its health can be checked.
 * @param start gets the server, so that it can add routes, and returns the readiness checks; until it returns, the process is not
 * ready
 */
export async function serveUntilStopped(
  { config, logger, resources, signal, breakers }: CommandContext,
  start: (server: HealthServer) => Promise<Readonly<Record<string, ReadinessCheck>>>,
): Promise<number> {
  const checks: Record<string, ReadinessCheck> = { started: () => false }
  const health = await startHealthServer({ port: config.port, checks, logger })
  resources.add('health server', health, server => server.close())
  try {
    Object.assign(checks, await start(health), breakers.checks(), { started: () => true })
  } catch (error) {
    // If the process is stopped while it starts, the error only results from the stop.
    if (!signal.aborted) throw error
  }
  if (!signal.aborted) await once(signal, 'abort')
  logger.info('stopping')
  return EXIT.answered
}
