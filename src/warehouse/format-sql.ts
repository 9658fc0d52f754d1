/** Formats SQL over several lines. Returns it unchanged if the engine is away or cannot parse it. */
export type FormatSql = (sql: string, signal: AbortSignal) => Promise<string>
