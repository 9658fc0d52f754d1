import { once } from 'node:events'
import { type ReadinessCheck, startHealthServer } from '../telemetry/health-server.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/** Serves health and readiness until the process is told to stop; what was opened is closed by the command's end. */
export async function serveUntilStopped(
  { config, logger, resources, signal }: CommandContext,
  checks: Readonly<Record<string, ReadinessCheck>>,
): Promise<number> {
  const health = await startHealthServer({ port: config.port, checks, logger })
  resources.add('health server', health, server => server.close())
  if (!signal.aborted) await once(signal, 'abort')
  logger.info('stopping')
  return EXIT.answered
}
