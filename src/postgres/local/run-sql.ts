import pg from 'pg'

/**
 * Runs statements over a connection of their own, as one transaction unless they say otherwise.
 * @param settings the values that the statements read by `current_setting`, by name with a dot
 * @returns the rows of a single statement
 */
export async function runSql(
  url: string,
  sql: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [name, value] of Object.entries(settings)) {
      await client.query('SELECT pg_catalog.set_config($1, $2, false)', [name, value])
    }
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
