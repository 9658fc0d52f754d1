import { z } from 'zod'
import { parseJson } from '../base/text/parse-json.ts'
import type { AuditLine } from './line.ts'
import type { AuditFilter, AuditStore } from './store.ts'

/** The place of each store at which the next page begins. */
const cursorsSchema = z.array(
  z
    .string()
    .regex(/^\d+(-\d+| [\w-]*)$/)
    .nullable(),
)

export interface LatestLines {
  readonly lines: readonly AuditLine[]
  /** The text that `cursor` takes for the lines before these. Null if there are none. */
  readonly next: string | null
}

/**
 * Reads the latest lines of several stores, the newest first.
 * @param page.cursor `next` of the page before; another text means the first page
 * @param page.untilMs Unix time in milliseconds. Then the page ends with the lines found so far, because few lines match.
 */
export async function latestLines(
  stores: readonly AuditStore[],
  filter: AuditFilter & { readonly kind?: string | undefined },
  { cursor, limit, untilMs }: { readonly cursor: string | undefined; readonly limit: number; readonly untilMs: number },
  signal: AbortSignal,
): Promise<LatestLines> {
  const begun = cursorsSchema.safeParse(parseJson(cursor ?? '')).data ?? []
  const cursors = stores.map((_, index) => begun[index] ?? null)
  const readers = stores.map((store, index) =>
    store.readBack(filter, cursors[index] ?? undefined, signal)[Symbol.asyncIterator](),
  )
  const heads = await Promise.all(readers.map(reader => reader.next()))
  const lines: AuditLine[] = []
  for (;;) {
    // A store that pauses goes first, because its next line may be newer than those of the others.
    const times = heads.map(({ done, value }) => (done ? Number.NEGATIVE_INFINITY : (value.line?.at ?? Number.POSITIVE_INFINITY)))
    const newest = times.indexOf(Math.max(...times))
    const [head, reader] = [heads[newest], readers[newest]]
    if (head === undefined || head.done || reader === undefined) return { lines, next: null }
    const { line, cursor: behind } = head.value
    if (line !== undefined && lines.length === limit) return { lines, next: JSON.stringify(cursors) }
    cursors[newest] = behind
    if (line !== undefined) lines.push(line)
    else if (Date.now() >= untilMs) return { lines, next: JSON.stringify(cursors) }
    heads[newest] = await reader.next()
  }
}
