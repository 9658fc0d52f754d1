import type { Chart } from '../../charts/chart.ts'
import type { Language } from '../../words/language.ts'
import type { QueryReport } from '../run/result.ts'
import { buildChart } from './build-chart.ts'
import type { ChartZones } from './times.ts'

/** Returns the chart of the first cited query that has one. */
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
