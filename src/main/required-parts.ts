import { ConfigurationError } from '../base/errors.ts'
import type { Config } from './config.ts'

/** For each part that a command may need: the message if it is not configured. */
const MISSING = {
  chat: ({ platforms }: Config['chat']) => {
    const each = platforms.map(({ name, needs }) => `${needs} (docs/${name}.md tells how to get them)`)
    return `No chat platform is configured: set ${each.join(', or ')}.`
  },
  redis: () =>
    'No Redis is configured: set REDIS_URL, e.g. redis://localhost:6379 (append-only on, maxmemory-policy noeviction).',
  warehouse: () =>
    'No warehouse is configured: set CLICKHOUSE_URL to http(s)://user:password@host:8123, or load files: `clew load FILE…` fills ./clew-data, where commands look. A worker does not look there: set CLICKHOUSE_URL=chdb:clew-data for it. `clew demo` brings its own.',
  model: () =>
    'No model is configured: set OPENAI_API_KEY and OPENAI_MODEL, and OPENAI_BASE_URL for another OpenAI-compatible endpoint. Without one, `clew demo` replays recorded answers.',
} as const

type RequiredPart = keyof typeof MISSING

export function notConfigured({ chat }: Pick<Config, 'chat'>, ...parts: readonly RequiredPart[]): ConfigurationError {
  return new ConfigurationError(parts.map(part => MISSING[part](chat)).join('\n'))
}

/**
 * Checks that all parts are configured, before a process begins to serve. One error lists all missing parts, one per line.
 * @throws ConfigurationError
 */
export function requireParts(config: Config, parts: readonly RequiredPart[]): void {
  const { chat, redis, warehouse, model } = config
  const isSet = {
    chat: Object.keys(chat.configured).length > 0,
    redis: redis.url !== undefined,
    warehouse: warehouse.url !== undefined,
    model: model !== undefined,
  } satisfies Record<RequiredPart, boolean>
  const missing = parts.filter(part => !isSet[part])
  if (missing.length > 0) throw notConfigured(config, ...missing)
}
