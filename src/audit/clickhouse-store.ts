import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type StateDatabase, timeSchema, timeText } from '../pipelines/state-database.ts'
import { AUDIT_LIMITS } from './limits.ts'
import { type AuditLine, auditLineSchema } from './line.ts'
import type { AuditFilter, AuditStore } from './store.ts'

const COLUMNS = Object.keys(auditLineSchema.shape).join(', ')

const rowSchema = z.looseObject({ at: timeSchema }).transform(({ at, ...row }) => {
  const numbers = ['rows', 'bytes', 'duration_ms', 'tokens_in', 'tokens_out'].map(name => [name, Number(row[name])])
  return auditLineSchema.parse({ ...row, ...Object.fromEntries(numbers), at: at.getTime() })
})

/** A condition that finds a person's lines. ClickHouse writes deletions to its disk, so the condition does not name the person. */
const OF_PERSON = 'hex(SHA256(concat({salt:String}, person))) = {digest:String}'

/** Keeps audit lines in a table of the state database, which `clew migrate` makes. Its TTL removes old lines. */
export class ClickHouseAuditStore implements AuditStore {
  readonly description: string
  readonly #state: StateDatabase
  readonly #close: () => Promise<void>

  constructor(deps: { readonly state: StateDatabase; readonly database: string; readonly close: () => Promise<void> }) {
    this.description = `table ${deps.database}.audit_log of ClickHouse`
    this.#state = deps.state
    this.#close = deps.close
  }

  /**
   * Checks that lines can be added.
   * @throws ConfigurationError if the table or the right is missing
   */
  async check(signal: AbortSignal): Promise<void> {
    await this.#state.run('INSERT INTO audit_log SELECT * FROM audit_log WHERE 0', {}, signal)
  }

  async append(lines: readonly AuditLine[], signal: AbortSignal): Promise<void> {
    const rows = lines.map(line => ({ ...line, at: timeText(new Date(line.at)) }))
    await this.#state.insert('audit_log', rows, signal)
  }

  async *read({ person, from, to }: AuditFilter, signal: AbortSignal): AsyncIterable<AuditLine> {
    let after = { at: from, id: '' }
    for (;;) {
      const { page, next } = await this.#page({ person, to, after }, signal)
      yield* page
      if (next === undefined) return
      after = next
    }
  }

  async forget(person: string, name: string, signal: AbortSignal): Promise<number> {
    const salt = randomBytes(16).toString('hex')
    const digest = createHash('sha256').update(`${salt}${person}`).digest('hex').toUpperCase()
    const parameters = { salt, digest, name }
    const [counted] = await this.#state.select(
      z.object({ lines: z.coerce.number() }),
      `SELECT uniqExact(id) AS lines FROM audit_log WHERE ${OF_PERSON}`,
      parameters,
      signal,
    )
    const lines = counted?.lines ?? 0
    if (lines === 0) return 0
    // Without the inner query, `person` in the condition would be the new name.
    const theirs = `(SELECT * FROM audit_log WHERE ${OF_PERSON})`
    const copied = `SELECT * REPLACE ({name:String} AS person, '' AS channel) FROM ${theirs}`
    await this.#state.run(`INSERT INTO audit_log ${copied}`, parameters, signal)
    await this.#state.run(`ALTER TABLE audit_log DELETE WHERE ${OF_PERSON} SETTINGS mutations_sync = 2`, parameters, signal)
    return lines
  }

  close(): Promise<void> {
    return this.#close()
  }

  async #page(
    { person, to, after }: Omit<AuditFilter, 'from'> & { readonly after: { readonly at: number; readonly id: string } },
    signal: AbortSignal,
  ): Promise<{ readonly page: readonly AuditLine[]; readonly next: { at: number; id: string } | undefined }> {
    const isPerson = person === undefined ? '' : 'AND person = {person:String}'
    const sql = `SELECT ${COLUMNS} FROM audit_log
      WHERE (at, id) > (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {id:String})
      AND at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC') ${isPerson}
      ORDER BY at, id LIMIT 1 BY at, id LIMIT {most:UInt64}`
    const parameters = { ...after, to, most: AUDIT_LIMITS.pageLines, ...(person !== undefined && { person }) }
    const page = await this.#state.select(rowSchema, sql, parameters, signal)
    return { page, next: page.length < AUDIT_LIMITS.pageLines ? undefined : page.at(-1) }
  }
}
