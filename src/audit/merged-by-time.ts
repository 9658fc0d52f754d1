import type { AuditLine } from './line.ts'

/** Merges lists of lines that are sorted by time. Reads only as far ahead as needed. */
export async function* mergedByTime(lists: readonly AsyncIterable<AuditLine>[]): AsyncIterable<AuditLine> {
  const readers = lists.map(list => list[Symbol.asyncIterator]())
  const heads = await Promise.all(readers.map(reader => reader.next()))
  for (;;) {
    let first = -1
    let earliest = Number.POSITIVE_INFINITY
    for (const [index, { done, value }] of heads.entries()) {
      if (done || value.at >= earliest) continue
      first = index
      earliest = value.at
    }
    const [reader, head] = [readers[first], heads[first]]
    if (reader === undefined || head === undefined) return
    yield head.value
    heads[first] = await reader.next()
  }
}
