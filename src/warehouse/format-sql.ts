/** Formats SQL over several lines. Returns the SQL unchanged if the engine is unreachable or cannot parse the SQL. */
export type FormatSql = (sql: string, signal: AbortSignal) => Promise<string>
