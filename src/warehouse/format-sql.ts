/** Formats SQL over several lines. Returns the SQL unchanged if the engine cannot be reached or cannot parse it. */
export type FormatSql = (sql: string, signal: AbortSignal) => Promise<string>
