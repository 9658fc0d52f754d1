import { once } from 'node:events'
import { type HealthServer, type ReadinessCheck, startHealthServer } from '../../telemetry/health-server.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/**
 * Serves health and readiness, starts the actual service, and runs until it is stopped. The command's end closes everything. The port opens first,
 * since a process that cannot be watched should not begin to work.
 * @param start receives the server, to serve more on it, and returns the readiness checks; until then the process is not ready
 */
export async function serveUntilStopped(
  { config, logger, resources, signal }: CommandContext,
  start: (server: HealthServer) => Promise<Readonly<Record<string, ReadinessCheck>>>,
): Promise<number> {
  const checks: Record<string, ReadinessCheck> = { started: () => false }
  const health = await startHealthServer({ port: config.port, checks, logger })
  resources.add('health server', health, server => server.close())
  try {
    Object.assign(checks, await start(health), { started: () => true })
  } catch (error) {
    // A process that is stopped while it starts ends normally.
    if (!signal.aborted) throw error
  }
  if (!signal.aborted) await once(signal, 'abort')
  logger.info('stopping')
  return EXIT.answered
}
