import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ConfigurationError, errorCode } from '../errors.ts'

const verifiedQuerySchema = z.object({ question: z.string().min(1), sql: z.string().min(1) })
type VerifiedQuery = z.infer<typeof verifiedQuerySchema>

/** What an operator knows of the data and the schema does not say; Markdown, put into the prompts as it is. */
export interface DomainPack {
  /** For the routing and answering steps: the summary and the glossary. */
  readonly overview: string
  /** For planning and SQL: all of it, metric definitions and verified queries included. */
  readonly full: string
  /** The questions of the verified queries: they are known to have an answer. */
  readonly questions: readonly string[]
}

export const NO_DOMAIN: DomainPack = { overview: '', full: '', questions: [] }

/**
 * Reads a domain pack: any of `summary.md`, `glossary.md`, `metrics.md` (Markdown) and `verified-queries.jsonl` (`{"question", "sql"}` a line).
 * @throws ConfigurationError when the folder holds none of them, or a verified query is malformed
 */
export async function loadDomainPack(directory: string): Promise<DomainPack> {
  const [summary, glossary, metrics, verified] = await Promise.all(
    ['summary.md', 'glossary.md', 'metrics.md', 'verified-queries.jsonl'].map(name => readIfPresent(join(directory, name))),
  )
  if ([summary, glossary, metrics, verified].every(text => text === undefined)) {
    throw new ConfigurationError(
      `CLEW_DOMAIN_DIR is ${directory}, which holds none of summary.md, glossary.md, metrics.md, verified-queries.jsonl.`,
    )
  }
  const verifiedQueries = verified === undefined ? [] : readVerifiedQueries(directory, verified)
  const overview = [section('About this data', summary), section('Glossary', glossary)]
  const full = [
    ...overview,
    section('Metric definitions', metrics),
    section('Verified queries', verifiedSection(verifiedQueries)),
  ]
  return { overview: joined(overview), full: joined(full), questions: verifiedQueries.map(({ question }) => question) }
}

function section(heading: string, text: string | undefined): string {
  return text === undefined || text.trim() === '' ? '' : `# ${heading}\n\n${text.trim()}`
}

function joined(sections: readonly string[]): string {
  return sections.filter(text => text !== '').join('\n\n')
}

function readVerifiedQueries(directory: string, lines: string): readonly VerifiedQuery[] {
  return lines.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return []
    const parsed = verifiedQuerySchema.safeParse(parseJson(line))
    if (parsed.success) return [parsed.data]
    throw new ConfigurationError(
      `${join(directory, 'verified-queries.jsonl')}, line ${index + 1}: must be {"question": "…", "sql": "…"}.`,
    )
  })
}

function verifiedSection(queries: readonly VerifiedQuery[]): string {
  if (queries.length === 0) return ''
  const lines = queries.map(({ question, sql }) => `- ${question}\n  ${sql.replace(/\s+/g, ' ')}`)
  return `These were checked by hand; follow them where they fit.\n\n${lines.join('\n')}`
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new ConfigurationError(`${path} of the domain pack cannot be read.`, { cause: error })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
