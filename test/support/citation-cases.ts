import { readFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { plainReport } from '../../src/agent/run/plain-report.ts'
import type { QueryReport } from '../../src/agent/run/result.ts'
import { SentenceSplitter } from '../../src/agent/write/sentence-splitter.ts'
import { CitationChecker, type UnitVerdict } from '../../src/answer-check/citation-checker.ts'
import type { DataEdges } from '../../src/warehouse/data-edges.ts'

/** An answer and the query results that it is based on, as stored in `test/cases/citations`. */
export interface CitationCase {
  readonly question: string
  readonly answer: string
  readonly queries: readonly QueryReport[]
  /** The time of the question, in ISO 8601. */
  readonly askedAt: string
}

interface StoredResult {
  r: string
  /** The day on which questions about this result were asked. */
  asked?: string
  q: string
  sql: string
  cols: string
  rows: QueryReport['rows']
  assume?: string[]
  truncated?: boolean
  edges?: DataEdges
}

const FOLDER = new URL('../cases/citations/', import.meta.url)
/** The day on which questions were asked, if their results name no other. */
const ASKED = '2026-11-20'

/** Reads answers and their results from two files. A name without a folder means a file in `test/cases/citations`. */
export function readCitationCases(answers: string, results: string): CitationCase[] {
  const stored = readResults(results)
  return readLines(answers).map(line => {
    const { u, q, a } = JSON.parse(line) as { u: string[]; q: string; a: string }
    return caseOf(u, q, a, stored)
  })
}

/** Returns the lines of a file. A name without a folder means a file in `test/cases/citations`. */
export function readLines(name: string): string[] {
  return readFileSync(isAbsolute(name) ? name : new URL(name, FOLDER), 'utf8')
    .split('\n')
    .filter(line => line.trim() !== '')
}

export type StoredResults = ReadonlyMap<string, StoredResult>

export function readResults(name: string): StoredResults {
  return new Map(
    readLines(name)
      .map(line => JSON.parse(line) as StoredResult)
      .map(result => [result.r, result]),
  )
}

/** Returns an answer over the stored results with these names, which are numbered Q1, Q2 and so on. */
export function caseOf(names: readonly string[], question: string, answer: string, stored: StoredResults): CitationCase {
  const queries = names.map((name, index) => queryOf(`Q${index + 1}`, stored.get(name)))
  return { question, answer, queries, askedAt: `${stored.get(names[0] ?? '')?.asked ?? ASKED}T13:00:00Z` }
}

function queryOf(id: string, result: StoredResult | undefined): QueryReport {
  if (result === undefined) throw new Error(`no stored result for ${id}`)
  const columns = result.cols.split(/,\s(?=\w+:)/).map(column => {
    const [name = '', type = ''] = column.split(/:\s*(.*)/)
    return { name, type }
  })
  return plainReport({
    id,
    question: result.q,
    sql: result.sql,
    tables: [],
    explanation: '',
    assumptions: result.assume ?? [],
    columns,
    rows: result.rows,
    truncated: result.truncated ?? false,
    ...(result.edges && { edges: result.edges }),
  })
}

/** An answer and the verdicts on its sentences. A variant of it needs checking only from the first difference on. */
export interface CheckedAnswer {
  /** The parts of the answer in the order of a stream, usually sentences, each with its verdict. The last part is empty and marks the end. */
  readonly units: readonly { readonly unit: string; readonly verdict: UnitVerdict }[]
  /** Yields the verdicts on a variant, from the first part that differs. Earlier parts have the same verdicts as before. */
  verdictsFrom(first: number, variant: readonly string[]): Iterable<UnitVerdict>
}

export function checkAnswer({ answer, queries, question, askedAt }: CitationCase): CheckedAnswer {
  const checker = new CitationChecker(queries, { question, timeZone: 'Europe/Berlin', askedAt })
  const check = (unit: string) => (unit === '' ? checker.end() : checker.check(unit))
  const checked = unitsOf(answer).map(unit => ({ unit, goBack: checker.mark(), verdict: check(unit) }))
  return {
    units: checked,
    *verdictsFrom(first, variant) {
      checked[first]?.goBack()
      for (const unit of variant.slice(first)) yield check(unit)
    },
  }
}

/** Splits an answer into its parts, usually sentences. An empty part at the end marks the end. */
export function unitsOf(answer: string): string[] {
  const splitter = new SentenceSplitter()
  return [...splitter.add(answer), ...splitter.end(), '']
}
