import { readFileSync } from 'node:fs'
import { startTestEngine } from './engine.ts'

/** Reads a file and returns its SQL statements in the form in which the engine prints them. */
export async function canonicalStatements(path: string): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(60_000)
  const text = readFileSync(path, 'utf8').replace(/--.*$/gm, '')
  const engine = await startTestEngine()
  try {
    const canonical: string[] = []
    for (const q of text.split(';').filter(part => part.trim() !== '')) {
      const { rows } = await engine.warehouse.read({ sql: 'SELECT formatQuerySingleLine({q:String})', parameters: { q } }, signal)
      canonical.push(String(rows[0]?.[0]))
    }
    return canonical
  } finally {
    await engine.close()
  }
}
