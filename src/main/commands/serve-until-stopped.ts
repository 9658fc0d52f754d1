import { once } from 'node:events'
import { type HealthServer, type ReadinessCheck, startHealthServer } from '../../telemetry/health-server.ts'
import { createMetrics, type Metrics } from '../../telemetry/metrics.ts'
import { errorRoute } from '../../warehouse/error-routes.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/**
 * Serves health, readiness and metrics, starts the actual service, and returns when the command is stopped. `runCommand` closes
 * everything. The health port opens first, because a process must not begin to work unless its health can be checked.
 * @param start gets the server, so that it can add routes, and the metrics; returns the readiness checks. Until it returns, the
 * process is not ready.
 */
export async function serveUntilStopped(
  { audit, config, logger, resources, signal, observers, breakers }: CommandContext,
  start: (server: HealthServer, metrics: Pick<Metrics, 'watchQueue'>) => Promise<Readonly<Record<string, ReadinessCheck>>>,
): Promise<number> {
  const checks: Record<string, ReadinessCheck> = { started: () => false }
  const health = await startHealthServer({ port: config.port, checks, logger })
  resources.add('health server', health, server => server.close())
  const opened = audit.start()
  const metrics = createMetrics({ routeOf: errorRoute, breakers: () => breakers.states() })
  observers.add(metrics.observe)
  health.serve('/metrics', metrics.listener)
  try {
    Object.assign(checks, await start(health, metrics), breakers.checks(), { started: () => true })
    await opened
  } catch (error) {
    // If the process is stopped while it starts, the error only results from the stop.
    if (!signal.aborted) throw error
  }
  if (!signal.aborted) await once(signal, 'abort')
  logger.info('stopping')
  return EXIT.answered
}
