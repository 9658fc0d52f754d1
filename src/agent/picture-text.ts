import { visibleText } from '../visible-text.ts'
import { chartWords } from '../words/chart-words.ts'
import type { Picture, PicturedTable } from './picture.ts'

/** The picture's name as a file. */
export function pictureFileName({ kind }: Picture): 'lineage.png' | 'chart.png' {
  return kind === 'graph' ? 'lineage.png' : 'chart.png'
}

/** What a picture shows, in words for those who do not see it: plain text on one line of so many UTF-16 units at most, hostile until it is escaped. */
export function pictureText(picture: Picture, mostCharacters: number): string {
  const text = visibleText(picture.kind === 'graph' ? graphText(picture) : chartText(picture))
    .replace(/\s+/g, ' ')
    .trim()
  if (text.length <= mostCharacters) return text
  const cut = text.slice(0, mostCharacters - 1).replace(/\p{Surrogate}$/u, '')
  return `${cut.trimEnd()}…`
}

function chartText({ kind, title, labels, language }: Exclude<Picture, { kind: 'graph' }>): string {
  return chartWords(language).described(kind, title, labels[0] ?? '', labels.at(-1) ?? '')
}

function graphText({ title, nodes, edges }: Extract<Picture, { kind: 'graph' }>): string {
  const told = nodes.map((node, place) => {
    const from = edges.flatMap(edge => (edge.to === place ? (nodes[edge.from]?.label ?? []) : []))
    return `${node.label} (${tableFacts(node).join(', ')})${from.length === 0 ? '' : `, from ${from.join(' and ')}`}`
  })
  const marked = nodes.filter(node => node.suspected).map(node => ` The fault is suspected in ${node.label}.`)
  return `${title}, ${nodes.length} ${nodes.length === 1 ? 'table' : 'tables'}.${marked.join('')} ${told.join('; ')}.`
}

/** What is to be said of a table, most important first. */
export function tableFacts({ kind, state, rows, failed, suspected }: PicturedTable): readonly string[] {
  return [
    ...(suspected ? ['suspected'] : []),
    ...(failed ? ['failed'] : []),
    kind,
    ...(state === 'live' ? [] : [state]),
    ...(rows === null ? [] : [`${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`]),
  ]
}
