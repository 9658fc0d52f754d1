const CITATION = /(?<!\s)\s*\[([QE]\d+(?:\s*,\s*[QE]\d+)*)\]/g

/** A unit of the answer as the check reads it: the kind of its line, its citations, and its text without Markdown marks. */
export interface UnitText {
  readonly kind: 'blank' | 'heading' | 'rule' | 'row' | 'bullet' | 'prose' | 'code'
  readonly cited: readonly string[]
  readonly text: string
  /**
   * The text in front of each citation, with the queries of that citation. For a text without a citation, `cited` is empty and
   * the citations of its line apply.
   */
  readonly parts: readonly { readonly text: string; readonly cited: readonly string[] }[]
  readonly cells: readonly string[]
}

export function readUnit(written: string): UnitText {
  // "[Q1][Q2]" means the same as "[Q1, Q2]".
  const unit = written.replace(/(\[[QE]\d+(?:\s*,\s*[QE]\d+)*)\]\s?\[(?=[QE]\d)/g, '$1, ')
  const parts = partsOf(unit)
  const cited = [...unit.matchAll(CITATION)].flatMap(match => (match[1] ?? '').split(',').map(id => id.trim()))
  const bare = unit.replace(CITATION, '').trim()
  const text = withoutMarks(bare)
  if (bare === '') return { kind: cited.length > 0 ? 'prose' : 'blank', cited, text: '', parts, cells: [] }
  if (isCodeBlock(bare)) return { kind: 'code', cited, text: '', parts, cells: [] }
  if (/^#{1,6}\s/.test(bare)) return { kind: 'heading', cited, text: text.replace(/^#+\s+/, ''), parts, cells: [] }
  if (/^\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{1,}:?\s*)*\|?$/.test(bare) && bare.includes('-'))
    return { kind: 'rule', cited, text: '', parts, cells: [] }
  if (/^\|.*\|$/.test(bare)) return { kind: 'row', cited, text, parts, cells: cellsOf(text) }
  return { kind: /^(?:[-*+•]|\d+[.)])\s+/.test(bare) ? 'bullet' : 'prose', cited, text, parts, cells: [] }
}

/** Splits a line that has different citations. Each piece is checked against the queries of the citation at its end. */
function partsOf(unit: string): { text: string; cited: string[] }[] {
  const citations = [...unit.matchAll(CITATION)]
  const different = new Set(citations.map(match => match[1])).size > 1
  if (!different) return [{ text: withoutMarks(unit.replace(CITATION, '')), cited: [] }]
  let start = 0
  const parts = citations.map(match => {
    const text = unit.slice(start, match.index)
    start = match.index + match[0].length
    return { text: withoutMarks(text), cited: (match[1] ?? '').split(',').map(id => id.trim()) }
  })
  return [...parts, { text: withoutMarks(unit.slice(start)), cited: [] }].filter(part => /[\p{L}\d]/u.test(part.text))
}

function isCodeBlock(text: string): boolean {
  const fence = /^(`{3,})[^`\n]*\n/.exec(text)?.[1]
  const last = text.slice(text.lastIndexOf('\n') + 1).trim()
  return fence !== undefined && last.length >= fence.length && /^`+$/.test(last)
}

function withoutMarks(text: string): string {
  return text
    .trim()
    .replace(/^(?:[-*+•]|\d+[.)])\s+/, '')
    .replace(/\*\*|__(?=\S)|(?<=\S)__/g, '')
}

function cellsOf(row: string): string[] {
  return row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => cell.replaceAll('\\|', '|').trim())
}
