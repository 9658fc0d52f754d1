import { once } from 'node:events'
import { type HealthServer, type ReadinessCheck, startHealthServer } from '../telemetry/health-server.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/**
 * Serves health and readiness, starts what the process is for, and stays until it is told to stop; what was opened is closed by the command's end. The port
 * comes first: a process that cannot be watched should not begin to work.
 * @param start gets the server, to serve more than health on it; returns what tells whether the process can do its work; it is not ready before
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
    // Whoever stops a process while it starts has it end as one that has started.
    if (!signal.aborted) throw error
  }
  if (!signal.aborted) await once(signal, 'abort')
  logger.info('stopping')
  return EXIT.answered
}
