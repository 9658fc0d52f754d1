import { type Attachment, scopeHasRows } from './attachment.ts'
import type { Figure } from './figures/figure.ts'
import { nearestCell } from './rows/nearest-cell.ts'
import type { ResultIndex } from './rows/result-index.ts'

export interface Problem {
  readonly text: string
  readonly reason: string
}

export function unsupported(figure: Figure, scopes: readonly Attachment[], results: readonly ResultIndex[]): Problem {
  const ids = results.map(result => result.id).join(', ')
  const scope = scopes[0]?.[0] ?? new Map<string, readonly number[]>()
  const near = nearestCell(figure, results, scopeHasRows(scope) ? scope : new Map())
  const hint = near === undefined ? '' : `; nearest is ${near.text} (${near.column}${nameOfRow(near.result, near.row)})`
  if (near?.fits)
    return {
      text: figure.text,
      reason: `${figure.text} does not follow from the rows of ${ids} as it is worded, though ${near.text} is ${near.column}${nameOfRow(near.result, near.row)}: say what it is of`,
    }
  const place = scopeHasRows(scope) ? `is not what the rows of ${ids} hold for it` : `is not in the rows of ${ids}`
  const form =
    figure.date === undefined ? '; write what is worked out as its formula, such as {sum(C)} or {100 * C2 / sum(C)}' : ''
  return { text: figure.text, reason: `${figure.text} ${place}${hint}${form}` }
}

function nameOfRow(result: ResultIndex, row: number): string {
  const names = result.rowNames(row).slice(0, 2)
  return names.length === 0 ? '' : ` of ${names.join(', ')}`
}
