import { setMaxListeners } from 'node:events'
import { ConfigurationError } from '../base/errors.ts'
import { Resources } from '../base/lifecycle.ts'
import { createLogger } from '../base/logger.ts'
import { givenModel } from '../llm/given-model.ts'
import type { AnalystOptions } from './analyst-options.ts'
import { unknownVariables } from './commands/unknown-variables.ts'
import { readConfig } from './config.ts'
import type { GivenParts } from './open-analyst.ts'

/**
 * Reads a library's options into everything that a library's function opens its parts with. Opens nothing yet.
 * @throws ConfigurationError
 */
export function openLibrary({ warehouse, model, domain, settings, ...ports }: AnalystOptions) {
  const env: Readonly<Record<string, string | undefined>> = {
    ...settings,
    ...(typeof warehouse === 'string' && { CLICKHOUSE_URL: warehouse }),
    ...(model &&
      !('stream' in model) && { OPENAI_MODEL: model.name, OPENAI_API_KEY: model.apiKey, OPENAI_BASE_URL: model.baseUrl }),
    ...(domain !== undefined && { CLEW_DOMAIN_DIR: domain }),
  }
  const config = readConfig(env)
  const level = env.CLEW_LOG_LEVEL?.trim() ? config.logLevel : 'silent'
  const logger = createLogger({ level, secrets: config.secrets })
  // The logger is silent unless the caller wants a log.
  for (const sentence of unknownVariables(env, config.variables)) process.emitWarning(sentence, 'ClewWarning')
  const own = model && 'stream' in model ? givenModel(model) : undefined
  if (own === undefined && config.model === undefined)
    throw new ConfigurationError(
      'No model is given: set `model.apiKey`, or `model.baseUrl` for an endpoint without keys, and `model.name`. Or set `OPENAI_…` in `settings`.',
    )
  const resources = new Resources()
  const signal: AbortSignal = new AbortController().signal
  // All concurrent work listens to this signal. With more than ten listeners, Node would warn of a leak.
  setMaxListeners(0, signal)
  const given: GivenParts = {
    ...ports,
    ...(typeof warehouse !== 'string' && { warehouse }),
    ...(own && { model: own }),
  }
  /** `close` closes all resources of the context. */
  return { context: { config, logger, resources, signal }, given, close: () => resources.close(logger) }
}
