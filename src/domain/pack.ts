import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { z } from 'zod'
import { ConfigurationError, errorCode } from '../base/errors.ts'
import { readYaml } from '../base/text/read-yaml.ts'
import { mistakesSentence } from '../base/text/shape-mistakes.ts'
import { CATALOG_FILE, DOMAIN_LISTS, type Metric, type Term, type VerifiedQuery, verifiedQueryOf } from './files.ts'

/** The operator's knowledge about the data, beyond the schema. */
export interface DomainPack {
  /** Markdown with table descriptions and glossary. The steps that sort a message and write the answer read it. */
  readonly overview: string
  /** Markdown with the overview and the metrics. The steps that plan and write SQL read it. */
  readonly full: string
  readonly terms: readonly Term[]
  readonly metrics: readonly Metric[]
  readonly verifiedQueries: readonly VerifiedQuery[]
}

export const NO_DOMAIN: DomainPack = { overview: '', full: '', terms: [], metrics: [], verifiedQueries: [] }

const FILES = [CATALOG_FILE, ...Object.keys(DOMAIN_LISTS)]

/**
 * Reads a domain pack. It has at least one of `CATALOG.md`, `glossary.yaml`, `metrics.yaml` and `verified-queries.yaml`.
 * @throws ConfigurationError if the folder has none of them, or if entries are malformed; the message then gives files and lines
 */
export async function loadDomainPack(directory: string): Promise<DomainPack> {
  const catalog = await readIfPresent(join(directory, CATALOG_FILE))
  const mistakes: string[] = []
  const glossary = await readList(directory, 'glossary.yaml', DOMAIN_LISTS['glossary.yaml'], mistakes)
  const metrics = await readList(directory, 'metrics.yaml', DOMAIN_LISTS['metrics.yaml'], mistakes)
  const queries = 'verified-queries.yaml'
  const verifiedQueries = await readList(directory, queries, DOMAIN_LISTS[queries], mistakes)
  if (mistakes.length > 0) {
    const found = `The domain pack in ${resolve(directory)} is wrong`
    throw new ConfigurationError(mistakesSentence(found, mistakes, 'docs/domain.md tells what belongs into it.'))
  }
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

/**
 * Writes a term on exactly one line. For an asker who may not see a table, lines that name the table are removed. So nothing of
 * such a term must be on another line.
 */
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

/** Reads the entries of a YAML file. Undefined if the file does not exist. Malformed entries are added to `mistakes`. */
async function readList<Entry>(
  directory: string,
  file: keyof typeof DOMAIN_LISTS,
  schema: z.ZodType<Entry[]>,
  mistakes: string[],
): Promise<readonly Entry[] | undefined> {
  const text = await readIfPresent(join(directory, file))
  if (text === undefined) return undefined
  const read = readYaml(text, schema, { empty: [] })
  if (read.ok) return read.value
  mistakes.push(...read.mistakes.map(mistake => `${file}, ${mistake}`))
  return []
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new ConfigurationError(`${path} of the domain pack cannot be read.`, { cause: error })
  }
}
