/** Breaks SQL into readable lines. Returns the SQL unchanged if the engine is unreachable or cannot parse it. */
export type FormatSql = (sql: string, signal: AbortSignal) => Promise<string>
