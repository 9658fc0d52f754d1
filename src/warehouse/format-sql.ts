/** Breaks SQL into readable lines. Returns it unchanged if the engine cannot be reached or cannot parse it. */
export type FormatSql = (sql: string, signal: AbortSignal) => Promise<string>
