import { fileURLToPath } from 'node:url'
import { schemaPrompt, tablesPrompt } from '../../src/agent/schema/schema-prompts.ts'
import { memoizePerObject } from '../../src/base/memoize.ts'
import { Prompts, type PromptValues } from '../../src/llm/prompts.ts'
import { estimateTokens } from '../../src/llm/token-estimate.ts'
import { buildTableIndex } from '../../src/warehouse/retrieval/build-table-index.ts'
import { findTables, type TableNames, tableNames } from '../../src/warehouse/retrieval/find-tables.ts'
import { openTableSearch, type TableSearch } from '../../src/warehouse/retrieval/search-tables.ts'
import { indexedText } from '../../src/warehouse/retrieval/table-text.ts'
import { splitWords, stem } from '../../src/warehouse/retrieval/words.ts'
import type { Schema } from '../../src/warehouse/schema.ts'
import { largeCatalog, type RetrievalQuestion, retrievalQuestions, withStatistics } from './large-catalog.ts'

const PROMPTS = fileURLToPath(new URL('../../prompts', import.meta.url))
/** The number of catalogs with only ten tables. The mean of their prompts represents an ordinary prompt. */
const SMALL_CATALOGS = 10

export interface RetrievalFigures {
  /** The median time of one search, in milliseconds. */
  readonly medianMs: number
  readonly p99Ms: number
  /** `all` is the share of questions for which all needed tables are shown. `tables` is the share of needed tables that are shown. */
  readonly recall: { readonly seen: number; readonly unseen: number; readonly all: number; readonly tables: number }
  /** The size of a prompt, relative to that with ten tables: on average, and for the question with the longest prompt. */
  readonly promptGrowth: { readonly mean: number; readonly most: number }
  /** The time that the separate thread takes to build the index, in milliseconds. */
  readonly buildMs: number
  /** The memory that the index occupies permanently: its numbers, and the characters of its words and names. */
  readonly memoryMb: number
  /** Questions for which needed tables were not shown. */
  readonly misses: readonly { readonly question: string; readonly half: string; readonly missing: readonly string[] }[]
}

/** A catalog and its search index. */
export interface IndexedCatalog {
  readonly schema: Schema
  readonly search: TableSearch
  readonly names: TableNames
  readonly buildMs: number
  readonly memoryMb: number
}

export function indexedCatalog(tables: number): IndexedCatalog {
  const schema = largeCatalog(tables)
  const started = performance.now()
  const index = buildTableIndex(schema.tables.map(indexedText))
  const buildMs = performance.now() - started
  return {
    ...{ schema, buildMs, memoryMb: indexBytes(index) / 1e6 },
    ...{ search: openTableSearch(index), names: tableNames(schema.tables) },
  }
}

/**
 * Measures the search in a large catalog with all questions. Recall and growth are the same on every machine, but times are not.
 * @param rounds the number of searches per question; the fastest one counts, because the first one compiles code and others may wait on a busy
 * machine
 */
export async function measureRetrieval(
  { schema, search, names, buildMs, memoryMb }: IndexedCatalog,
  { rounds }: { readonly rounds: number },
): Promise<RetrievalFigures> {
  const questions = retrievalQuestions()
  const find = (question: string) => findTables(search, names, { text: question })
  const times = questions.map(({ question }) => Math.min(...Array.from({ length: rounds }, () => timed(() => find(question)))))
  const known = memoizePerObject(withStatistics)
  const results = questions.map(asked => {
    const tables = find(asked.question).map(({ table, copies }) => ({ copies, table: known(table) }))
    const words = new Set(splitWords(asked.question).map(stem))
    const focused: Schema = { ...schema, focus: { tables, words, isSecondLook: false } }
    const shown = shownTables(focused)
    return { asked, focused, missing: asked.needed.filter(name => !shown.has(name)) }
  })
  const tokensOf = await promptTokens()
  const small = Array.from({ length: SMALL_CATALOGS }, (_, at) => {
    const ten = largeCatalog(10, { seed: 1 + at })
    return { ...ten, tables: ten.tables.map(withStatistics) }
  })
  const growths = STEPS.flatMap(step => {
    const ten = mean(small.map(catalog => tokensOf(step, catalog, MIDDLING_QUESTION)))
    return results.map(({ asked, focused }) => tokensOf(step, focused, asked.question) / ten)
  })
  const share = (of: (asked: RetrievalQuestion) => boolean) => {
    const chosen = results.filter(({ asked }) => of(asked))
    return chosen.filter(({ missing }) => missing.length === 0).length / chosen.length
  }
  const needed = results.reduce((sum, { asked }) => sum + asked.needed.length, 0)
  const missed = results.reduce((sum, { missing }) => sum + missing.length, 0)
  times.sort((a, b) => a - b)
  return {
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    p99Ms: times[Math.floor(times.length * 0.99)] ?? 0,
    recall: {
      seen: share(({ half }) => half === 'seen'),
      unseen: share(({ half }) => half === 'unseen'),
      all: share(() => true),
      tables: 1 - missed / needed,
    },
    promptGrowth: { mean: mean(growths), most: Math.max(...growths) },
    buildMs,
    memoryMb,
    misses: results
      .filter(({ missing }) => missing.length > 0)
      .map(({ asked, missing }) => ({ question: asked.question, half: asked.half, missing })),
  }
}

const STEPS = ['classify', 'decompose', 'generate'] as const
const MIDDLING_QUESTION = 'How many customers have ordered more than twice since January, by country?'

/** Returns the number of tokens in each step's prompt for a question. The domain pack and the conversation are left out. */
async function promptTokens() {
  const prompts = await Prompts.load(PROMPTS)
  // In a large catalog, each step has the same system message for all questions. So its tokens are counted once.
  const known = new Map<string, number>()
  const tokens = (content: string) => {
    const count = known.get(content) ?? estimateTokens(content)
    known.set(content, count)
    return count
  }
  return (step: (typeof STEPS)[number], schema: Schema, question: string): number => {
    const values = {
      ...(step === 'classify' ? { tables: tablesPrompt(schema) } : { schema: schemaPrompt(schema) }),
      ...{ domain: '', verified: '', attempts: '' },
      ...{ now: 'Thursday, 1 October 2026, 12:00 (UTC)', conversation: '' },
      ...{ question, data_question: question },
    }
    return prompts
      .render(step, values as PromptValues<typeof step>, 'clickhouse')
      .reduce((sum, { content }) => sum + tokens(content), 0)
  }
}

/** Returns the tables that the prompt shows with their columns, as `database.table`. */
function shownTables(schema: Schema): ReadonlySet<string> {
  const prompt = schemaPrompt(schema)
  if (typeof prompt === 'string') throw new Error('the catalog is not narrowed')
  return new Set([...prompt.later.matchAll(/^(?:TABLE )?(\w+\.\w+) (?:--|\()/gm)].map(([, name = '']) => name))
}

function timed(act: () => unknown): number {
  const start = performance.now()
  act()
  return performance.now() - start
}

function indexBytes(index: ReturnType<typeof buildTableIndex>): number {
  return Object.values(index).reduce(
    (sum, value) => sum + (ArrayBuffer.isView(value) ? value.byteLength : value.join('').length),
    0,
  )
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}
