import type { QueryReport } from '../src/agent/run/result.ts'

/** The result is close to the limits of a query: 10,000 rows and 10 MB. */
const ROWS = 10_000
const COLUMNS = 88

/** Columns of numbers and of names alternate. A million small cells take more work than the same number of bytes in a few long texts. */
const COLUMN_SQL = Array.from({ length: COLUMNS }, (_, at) =>
  at % 2 === 0 ? `number * ${at + 1} AS load_${at + 1}` : `concat('v', toString(number * ${at + 1})) AS place_${at + 1}`,
)

/** A query with this large result, for the engine. */
export const LARGE_RESULT_SQL = `SELECT ${COLUMN_SQL.join(', ')} FROM numbers(${ROWS}) ORDER BY number`

/** The same large result, as the report of a finished data question. */
export function largeReport(): Pick<QueryReport, 'id' | 'question' | 'columns' | 'rows' | 'row_count' | 'truncated'> {
  const columns = COLUMN_SQL.map((sql, at) => ({ name: sql.split(' AS ')[1] ?? '', type: at % 2 === 0 ? 'UInt64' : 'String' }))
  const rows = Array.from({ length: ROWS }, (_, row) =>
    columns.map((_column, at) => `${at % 2 === 0 ? '' : 'v'}${row * (at + 1)}`),
  )
  return { id: 'Q1', question: 'the load of each place', columns, rows, row_count: ROWS, truncated: false }
}

/** Returns an answer of about this length that contains every element of Markdown. */
export function longAnswer(characters: number): string {
  const part = `## Links by **metro**

The network has 42 devices, of which *37* are \`activated\` [Q1]. See https://docs.example/a_b for fra-dz01:par-dz01.

- one item with **bold** and under_score [Q1]
- another ~~item~~ with \`code\` [Q2]

| metro | devices | note |
| --- | ---: | --- |
| fra | 5 | some *text* |
| lon | 3 | other_text |

\`\`\`sql
SELECT metro, count() FROM devices GROUP BY metro
\`\`\`

`
  return part.repeat(Math.ceil(characters / part.length)).slice(0, characters)
}
