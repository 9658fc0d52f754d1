import { visibleText } from '../base/text/visible-text.ts'
import { chartWords } from '../words/chart.ts'
import { type Language, numberText } from '../words/language.ts'
import { lineageWords } from '../words/lineage.ts'
import type { Picture, PicturedTable } from './picture.ts'

export function pictureFileName({ kind }: Picture): 'lineage.png' | 'chart.png' {
  return kind === 'graph' ? 'lineage.png' : 'chart.png'
}

/** Returns a sentence that says that a picture cannot be shown. */
export function missingPictureText({ kind, language }: Picture): string {
  return kind === 'graph' ? lineageWords(language).pictureNotShown : chartWords(language).notShown
}

/**
 * Describes a picture in one line of plain text, for people who cannot see it. Names in the text may be hostile, so the caller
 * must escape it.
 * @param mostCharacters the maximum length in UTF-16 units
 */
export function pictureText(picture: Picture, mostCharacters: number): string {
  const text = visibleText(picture.kind === 'graph' ? graphText(picture) : chartText(picture))
    .replace(/\s+/g, ' ')
    .trim()
  if (text.length <= mostCharacters) return text
  const cut = text.slice(0, mostCharacters - 1).replace(/\p{Surrogate}$/u, '')
  return `${cut.trimEnd()}…`
}

function chartText({ kind, title, labels, language }: Exclude<Picture, { kind: 'graph' }>): string {
  const { kinds, described } = chartWords(language)
  return described(kinds[kind], title, labels[0] ?? '', labels.at(-1) ?? '')
}

function graphText({ title, nodes, edges, language }: Extract<Picture, { kind: 'graph' }>): string {
  const words = lineageWords(language)
  const told = nodes.map((node, place) => {
    const from = edges.flatMap(edge => (edge.to === place ? (nodes[edge.from]?.label ?? []) : []))
    return `${node.label} (${tableFacts(node, language).join(', ')})${from.length === 0 ? '' : words.madeFrom(from)}`
  })
  const marked = nodes.filter(node => node.suspected).map(node => words.suspectedIn(node.label))
  return `${title}, ${words.tables(nodes.length)}.${marked.join('')} ${told.join('; ')}.`
}

/** Returns the facts about a table in words. The most important one comes first. */
export function tableFacts(
  { kind, state, rows, failed, suspected }: PicturedTable,
  language: Language = 'en',
): readonly string[] {
  const words = lineageWords(language)
  return [
    ...(suspected ? [words.hasSuspicion] : []),
    ...(failed ? [words.hasFailed] : []),
    words.kinds[kind],
    ...(state === 'live' ? [] : [words.states[state]]),
    ...(rows === null ? [] : [words.rows(numberText(rows, language), rows === 1)]),
  ]
}
