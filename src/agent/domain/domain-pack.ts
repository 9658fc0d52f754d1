import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import { ConfigurationError, errorCode } from '../../errors.ts'
import { CATALOG_FILE, DOMAIN_LISTS, type Metric, type Term, type VerifiedQuery, verifiedQueryOf } from './domain-files.ts'

/** What an operator knows of the data and the schema does not say. */
export interface DomainPack {
  /** Markdown, for the routing and answering steps: what the tables describe, and the glossary. */
  readonly overview: string
  /** Markdown, for planning and SQL: the overview and the metrics. */
  readonly full: string
  readonly terms: readonly Term[]
  readonly metrics: readonly Metric[]
  readonly verifiedQueries: readonly VerifiedQuery[]
}

export const NO_DOMAIN: DomainPack = { overview: '', full: '', terms: [], metrics: [], verifiedQueries: [] }

const FILES = [CATALOG_FILE, ...Object.keys(DOMAIN_LISTS)]

/**
 * Reads a domain pack: any of `CATALOG.md`, `glossary.yaml`, `metrics.yaml` and `verified-queries.yaml`.
 * @throws ConfigurationError when the folder holds none of them, or an entry is malformed, with its file and line
 */
export async function loadDomainPack(directory: string): Promise<DomainPack> {
  const catalog = await readIfPresent(join(directory, CATALOG_FILE))
  const [glossary, metrics, verifiedQueries] = await Promise.all([
    readList(directory, 'glossary.yaml'),
    readList(directory, 'metrics.yaml'),
    readList(directory, 'verified-queries.yaml'),
  ])
  if ([catalog, glossary, metrics, verifiedQueries].every(part => part === undefined)) {
    throw new ConfigurationError(
      `CLEW_DOMAIN_DIR is ${resolve(directory)}, which is not there or holds none of ${FILES.join(', ')}.`,
    )
  }
  const overview = [section('About this data', catalog ?? ''), section('Glossary', (glossary ?? []).map(termLine).join('\n'))]
  const defined = (metrics ?? []).map(metricLine)
  const full = [...overview, section('Metric definitions', defined.join('\n'))]
  return {
    overview: joined(overview),
    full: joined(full),
    terms: glossary ?? [],
    metrics: metrics ?? [],
    verifiedQueries: (verifiedQueries ?? []).map(verifiedQueryOf),
  }
}

/** Each entry is one line: what a person may not see is left out by the line. */
function termLine({ term, also, means }: Term): string {
  const others = also.length === 0 ? '' : ` (also ${also.map(word => `"${word}"`).join(', ')})`
  return `- **${onOneLine(term)}**${onOneLine(others)}: ${onOneLine(means)}`
}

function metricLine(metric: Metric): string {
  const { name, sql, from, where, grain, dimensions, unit, description } = metric
  const by = dimensions.length === 0 ? '' : `, by ${dimensions.join(', ')}`
  const filter = where === undefined ? '' : ` where \`${where}\``
  return onOneLine(`- **${name}** in ${unit}: \`${sql}\` from ${from}${filter} (one row is ${grain})${by}. ${description}`)
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trimEnd()
}

function section(heading: string, text: string): string {
  return text.trim() === '' ? '' : `# ${heading}\n\n${text.trim()}`
}

function joined(sections: readonly string[]): string {
  return sections.filter(text => text !== '').join('\n\n')
}

/** The entries of a YAML file; undefined where there is no such file. */
async function readList<File extends keyof typeof DOMAIN_LISTS>(
  directory: string,
  file: File,
): Promise<z.infer<(typeof DOMAIN_LISTS)[File]> | undefined> {
  const path = join(directory, file)
  const text = await readIfPresent(path)
  if (text === undefined) return undefined
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const [fault] = document.errors
  if (fault !== undefined) throw new ConfigurationError(`${path} is no YAML: ${fault.message.split('\n')[0]?.replace(/:$/, '')}.`)
  const parsed = DOMAIN_LISTS[file].safeParse(document.toJS() ?? [])
  if (parsed.success) return parsed.data as z.infer<(typeof DOMAIN_LISTS)[File]>
  const [issue] = parsed.error.issues
  const [entry] = issue?.path ?? []
  const node = document.getIn([entry], true) as { readonly range?: readonly number[] } | undefined
  const line = node?.range?.[0] === undefined ? '' : `, line ${lines.linePos(node.range[0]).line}`
  const field = issue?.path.slice(1).join('.')
  throw new ConfigurationError(`${path}${line}: ${field ? `${field}: ` : ''}${issue?.message}.`)
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new ConfigurationError(`${path} of the domain pack cannot be read.`, { cause: error })
  }
}
