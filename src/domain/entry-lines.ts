import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isNode, isSeq, LineCounter, parseDocument } from 'yaml'
import type { DOMAIN_LISTS } from './files.ts'

/** Returns the line of each entry in a file of the domain pack, from 1. Empty if there is no such file. */
export async function entryLines(directory: string, file: keyof typeof DOMAIN_LISTS): Promise<readonly number[]> {
  const text = await readFile(join(directory, file), 'utf8').catch(() => '')
  const lineCounter = new LineCounter()
  const { contents } = parseDocument(text, { lineCounter })
  if (!isSeq(contents)) return []
  return contents.items.map(item => (isNode(item) ? lineCounter.linePos(item.range?.[0] ?? 0).line : 1))
}
