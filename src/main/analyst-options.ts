import type { LanguageModel } from '../llm/language-model.ts'
import type { StateStore } from '../store/state-store.ts'
import type { SchemaSource } from '../warehouse/schema-source.ts'
import type { Warehouse } from '../warehouse/warehouse.ts'

/**
 * An endpoint with OpenAI's chat completions. It replaces all three variables of `settings`, so that no key of theirs reaches
 * another address.
 */
export interface ModelSettings {
  /** OPENAI_MODEL. */
  readonly name?: string | undefined
  /** OPENAI_API_KEY. */
  readonly apiKey?: string | undefined
  /** OPENAI_BASE_URL. */
  readonly baseUrl?: string | undefined
}

/** The options of a library's caller. Whoever opens a port closes it: Clew leaves the ports that it was given open. */
export interface AnalystOptions {
  /** The address of a ClickHouse (`http://user:password@host:8123`, `chdb:/folder`), or a port. Default: CLICKHOUSE_URL. */
  readonly warehouse?: string | Warehouse | undefined
  readonly model?: ModelSettings | LanguageModel | undefined
  /** Provides the schema of the warehouse. Default: the catalog of the server. */
  readonly schemaSource?: SchemaSource | undefined
  /** Keeps conversations, runs and open questions. Default: Redis if REDIS_URL is set, otherwise memory. */
  readonly store?: StateStore | undefined
  /** The folder of a domain pack, like CLEW_DOMAIN_DIR. */
  readonly domain?: string | undefined
  /** Variables of docs/configuration.md. Clew reads no variable of the process: to use them, give `process.env`. */
  readonly settings?: Readonly<Record<string, string | undefined>> | undefined
}
