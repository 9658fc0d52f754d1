/** SQL over several lines, as the engine lays it out; as it is, where the engine cannot be asked or does not understand it. */
export type FormatSql = (sql: string, signal: AbortSignal) => Promise<string>
