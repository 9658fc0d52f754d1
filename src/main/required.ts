import { ConfigurationError } from '../base/errors.ts'
import type { Config } from './config.ts'

/** Messages about parts that are not configured. */
const MISSING = {
  chat: 'No chat platform is configured: set SLACK_BOT_TOKEN and SLACK_APP_TOKEN or SLACK_SIGNING_SECRET (docs/slack.md tells how to get them), or DISCORD_TOKEN and DISCORD_APPLICATION_ID (docs/discord.md).',
  redis: 'No Redis is configured: set REDIS_URL, e.g. redis://localhost:6379 (append-only on, maxmemory-policy noeviction).',
  warehouse:
    'No warehouse is configured: set CLICKHOUSE_URL to http(s)://user:password@host:8123, or load files: `clew load FILE…` fills ./clew-data, where commands look. `npm run demo` brings its own.',
  model:
    'No model is configured: set OPENAI_API_KEY and OPENAI_MODEL, and OPENAI_BASE_URL for another OpenAI-compatible endpoint. `npm run demo` does without one.',
} as const

type RequiredPart = keyof typeof MISSING

export function notConfigured(...parts: readonly RequiredPart[]): ConfigurationError {
  return new ConfigurationError(parts.map(part => MISSING[part]).join('\n'))
}

/** Reports everything missing at once, one per line, before a process begins to serve. @throws ConfigurationError */
export function requireParts({ slack, discord, redis, warehouse, model }: Config, parts: readonly RequiredPart[]): void {
  const isSet = {
    chat: slack !== undefined || discord !== undefined,
    redis: redis.url !== undefined,
    warehouse: warehouse.url !== undefined,
    model: model !== undefined,
  } satisfies Record<RequiredPart, boolean>
  const missing = parts.filter(part => !isSet[part])
  if (missing.length > 0) throw notConfigured(...missing)
}
