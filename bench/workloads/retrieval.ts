import { indexedCatalog, measureRetrieval } from '../../test/retrieval/measure-retrieval.ts'
import { type Row, row } from '../row.ts'
import type { BenchParts } from '../workload.ts'

const TABLES = 10_000
const ROUNDS = 5

/** Measures the search for tables in a large catalog, with 204 questions (docs/catalog.md). Only the times differ between machines. */
export async function measureLargeCatalog(_parts: BenchParts): Promise<readonly Row[]> {
  const figures = await measureRetrieval(indexedCatalog(TABLES), { rounds: ROUNDS })
  const workload = `${TABLES.toLocaleString('en-US')} tables`
  const { recall, promptGrowth } = figures
  return [
    row('retrieval_median', `a question's tables found, p50: ${workload}`, figures.medianMs, 'ms', { most: 1 }),
    row('retrieval_p99', `a question's tables found, p99: ${workload}`, figures.p99Ms, 'ms'),
    row('retrieval_recall', `questions that are shown every table they need: ${workload}`, 100 * recall.all, '%', { least: 98 }),
    row('retrieval_recall_unseen', `the same, of those set aside: ${workload}`, 100 * recall.unseen, '%', { least: 98 }),
    row('retrieval_prompt', `a step's prompt ÷ with ten tables, longest: ${workload}`, promptGrowth.most, '×', { most: 1.3 }),
    row('retrieval_prompt_mean', `a step's prompt ÷ with ten tables, mean: ${workload}`, promptGrowth.mean, '×', { most: 1.3 }),
    row('retrieval_index', `index built, in its thread: ${workload}`, figures.buildMs, 'ms'),
    row('retrieval_memory', `index held: ${workload}`, figures.memoryMb, 'MB'),
  ]
}
