import { createHash, randomBytes } from 'node:crypto'
import { type StateDatabase, timeSchema, timeText } from '../pipelines/state-database.ts'
import { AUDIT_LIMITS } from './limits.ts'
import { type AuditLine, auditLineSchema } from './line.ts'
import type { AuditFilter, AuditStore, LatestLines } from './store.ts'

const COLUMNS = Object.keys(auditLineSchema.shape).join(', ')
const rowSchema = auditLineSchema.extend({ at: timeSchema.transform(at => at.getTime()) })

/** A condition that finds a person's lines. ClickHouse writes deletions to its disk, so the condition does not name the person. */
const OF_PERSON = 'hex(SHA256(concat({salt:String}, person))) = {digest:String}'

/** Keeps audit lines in a table of the state database, which `clew migrate` makes. Its TTL removes old lines. */
export class ClickHouseAuditStore implements AuditStore {
  readonly description = 'table audit_log of ClickHouse'
  readonly close: () => Promise<void>
  readonly #state: StateDatabase

  constructor(deps: { readonly state: StateDatabase; readonly close: () => Promise<void> }) {
    this.#state = deps.state
    this.close = deps.close
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
    const sql = `SELECT ${COLUMNS} FROM audit_log
      WHERE (at, id) > (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {id:String})
      AND at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC') ${person === undefined ? '' : 'AND person = {person:String}'}
      ORDER BY at, id LIMIT 1 BY at, id LIMIT {most:UInt64}`
    const given = { to, most: AUDIT_LIMITS.pageLines, ...(person !== undefined && { person }) }
    for (let after: Pick<AuditLine, 'at' | 'id'> | undefined = { at: from, id: '' }; after !== undefined; ) {
      const { at, id } = after
      const page: readonly AuditLine[] = await this.#state.select(rowSchema, sql, { ...given, at, id }, signal)
      yield* page
      after = page.length < AUDIT_LIMITS.pageLines ? undefined : page.at(-1)
    }
  }

  async latest({ person, kind, from, to }: AuditFilter, cursor = `${to + 1} `, signal: AbortSignal): Promise<LatestLines> {
    const sql = `SELECT ${COLUMNS} FROM audit_log
      WHERE (at, id) < (fromUnixTimestamp64Milli({at:Int64}, 'UTC'), {id:String})
      AND at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND ({person:String} IN ('', person)) AND ({kind:String} IN ('', kind))
      ORDER BY at DESC, id DESC LIMIT 1 BY at, id LIMIT {most:UInt64}`
    const [at = '', id = ''] = cursor.split(' ')
    const given = { from, at: Number(at), id, person: person ?? '', kind: kind ?? '', most: AUDIT_LIMITS.latestLines }
    const lines = await this.#state.select(rowSchema, sql, given, signal)
    const last = lines.length < AUDIT_LIMITS.latestLines ? undefined : lines.at(-1)
    return { lines, next: last && `${last.at} ${last.id}` }
  }

  async forget(person: string, name: string, signal: AbortSignal): Promise<void> {
    const salt = randomBytes(16).toString('hex')
    const digest = createHash('sha256').update(`${salt}${person}`).digest('hex').toUpperCase()
    const given = { salt, digest, name }
    // Without the inner query, `person` in the condition would be the new name.
    const copied = `SELECT * REPLACE ({name:String} AS person, '' AS channel) FROM (SELECT * FROM audit_log WHERE ${OF_PERSON})`
    await this.#state.run(`INSERT INTO audit_log ${copied}`, given, signal)
    await this.#state.run(`ALTER TABLE audit_log DELETE WHERE ${OF_PERSON} SETTINGS mutations_sync = 2`, given, signal)
  }
}
