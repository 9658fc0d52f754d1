import { setMaxListeners } from 'node:events'
import { Resources } from '../base/lifecycle.ts'
import { createLogger } from '../base/logger.ts'
import type { AnalystOptions, ModelSettings } from './analyst-options.ts'
import { unknownVariables } from './commands/unknown-variables.ts'
import { readConfig } from './config.ts'
import type { GivenParts } from './open-analyst.ts'
import type { WiringContext } from './store.ts'

/** Everything that a library's function opens its parts with. */
interface OpenedLibrary {
  readonly context: WiringContext & { readonly signal: AbortSignal }
  readonly given: GivenParts
  /** Closes all resources of the context. */
  close(): Promise<void>
}

/**
 * Reads a library's options. Opens nothing yet.
 * @throws ConfigurationError
 */
export function openLibrary({ warehouse, model, domain, settings, ...ports }: AnalystOptions): OpenedLibrary {
  const env: Readonly<Record<string, string | undefined>> = {
    ...settings,
    ...(typeof warehouse === 'string' && { CLICKHOUSE_URL: warehouse }),
    ...(model && !('stream' in model) && modelVariables(model)),
    ...(domain !== undefined && { CLEW_DOMAIN_DIR: domain }),
  }
  const config = readConfig(env)
  const level = env.CLEW_LOG_LEVEL?.trim() ? config.logLevel : 'silent'
  const logger = createLogger({ level, secrets: config.secrets })
  for (const sentence of unknownVariables(env, config.variables)) logger.warn(sentence)
  const resources = new Resources()
  const { signal } = new AbortController()
  // All concurrent work listens to this signal. With more than ten listeners, Node would warn of a leak.
  setMaxListeners(0, signal)
  return {
    context: { config, logger, resources, signal },
    given: {
      ...ports,
      ...(typeof warehouse !== 'string' && { warehouse }),
      ...(model && 'stream' in model && { model }),
    },
    close: () => resources.close(logger),
  }
}

function modelVariables({ name, apiKey, baseUrl }: ModelSettings): Readonly<Record<string, string | undefined>> {
  return { OPENAI_MODEL: name, OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl }
}
