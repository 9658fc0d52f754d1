import { parseFigures } from './figures.ts'
import type { Mention } from './mentions.ts'
import { type Grounds, type Parsed, parseText } from './parse-text.ts'
import type { ResultIndex } from './result-index.ts'

export function parseCell(cell: string, header: string, grounds: Grounds): Parsed {
  const unit = /\(([^)]+)\)\s*$/.exec(header)?.[1] ?? ''
  const parsed = parseText(cell, grounds, true)
  if (parsed.mentions.length > 0 || !/^[\d]+$/.test(cell)) return withHeaderUnit(parsed, unit, header)
  // A bare number under the name of a key column names the row.
  const keyed = parseText(`${header} ${cell}`, grounds, true)
  const key = keyed.mentions.find(mention => mention.start > header.length) ?? keyByHeader(cell, header, grounds.results)
  return key
    ? { ...parsed, text: cell, mentions: [{ ...key, start: 0, end: cell.length }], figures: [] }
    : withHeaderUnit(parsed, unit, header)
}

function keyByHeader(cell: string, header: string, results: readonly ResultIndex[]): Mention | undefined {
  const said = header.toLowerCase().match(/\p{L}+/gu) ?? []
  const rows = new Map<string, number[]>()
  for (const result of results) {
    const column = result.numbers.find(
      candidate =>
        candidate.key &&
        candidate.words.some(word => said.some(other => other === word || other === `${word}s` || `${other}s` === word)),
    )
    const row = column?.values.indexOf(Number(cell)) ?? -1
    if (row >= 0) rows.set(result.id, [row])
  }
  return rows.size > 0 ? { start: 0, end: cell.length, key: cell, axis: 'key', rows } : undefined
}

function withHeaderUnit(parsed: Parsed, unit: string, header: string): Parsed {
  const said =
    parseFigures(`1 ${unit}`, [], '')[0]?.unit ??
    (/%\s*$/.test(header) ? { dimension: 'part' as const, factor: 0.01 } : undefined)
  if (said === undefined) return parsed
  return {
    ...parsed,
    figures: parsed.figures.map(figure =>
      figure.unit === undefined && figure.date === undefined ? { ...figure, unit: said } : figure,
    ),
  }
}
