import type { Language } from '../../words/language.ts'
import type { Chart } from '../chart.ts'
import type { QueryReport } from '../run-result.ts'
import { buildChart } from './build-chart.ts'
import type { ChartZones } from './chart-times.ts'

/** One chart at most: that of the query which the answer cites first, of those that make one. */
export function chartOfAnswer(
  markdown: string,
  queries: readonly QueryReport[],
  zones: ChartZones,
  language: Language,
): Chart | null {
  const cited = [...markdown.matchAll(/\[(Q\d+(?:\s*,\s*Q\d+)*)\]/g)].flatMap(([, ids = '']) =>
    ids.split(',').map(id => id.trim()),
  )
  for (const id of new Set(cited)) {
    const query = queries.find(candidate => candidate.id === id)
    const chart = query && buildChart(query, zones, language)
    if (chart) return chart
  }
  return null
}
