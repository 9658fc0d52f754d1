import wrapAnsi from 'wrap-ansi'
import { isTableRow } from '../../base/text/closed-tables.ts'
import { drawTable } from './draw-table.ts'
import type { TerminalStyle, View } from './style.ts'
import { terminalText } from './text.ts'

const ESCAPED = /\\([\\`*_{}[\]()#+.!|~<>-])/g
/** Matches emphasis, such as `*this*` or `_this_`. Does not match within a word, nor in `2 * 3 * 4` and `count(*)`. */
const EMPHASIS =
  /(?<![\w*\\])\*(?=[\p{L}\p{N}"“])([^*]*[^\s*\\])\*(?![\w*])|(?<![\w\\/])_(?=[\p{L}\p{N}"“])([^_]*[^\s_\\])_(?![\w/])/gu
const CODE = '\u0000'
/** Matches a number, with an optional unit and optional words in brackets. */
const NUMBER = /^[-+−]?[\d.,]+(?:\s?[^\s(]{0,4})(?:\s\([\p{L} ]+\))?$/u
/**
 * Matches words that are longer than any real word. They are cut into pieces before wrapping, because the time for wrapping a
 * long word grows faster than its length.
 */
const LONG_WORD = /(?<![^ ])[^ ]{200,}/gu
const PART_OF_WORD = /[^ ]{40}(?=[^ ])/gu
/** Matches the space between a number and a word as short as a unit. */
const BEFORE_UNIT = /(?<=\d) (?=[^\s\d]\S{0,5}(?:\s|$))/g
/** Stands for a space where a line must not be broken. */
const BOUND = '\u00a0'
const LONE_CITATION = /^\s*\[[QE]\d+(?:, [QE]\d+)*\]\s*$/
const PLAIN: TerminalStyle = (_, text) => text

/**
 * Formats Markdown for a terminal: headings and strong text are bold, code is dim, tables are drawn, and citations are coloured.
 */
export function terminalMarkdown(markdown: string, view: View): string {
  const { style, width, wraps } = view
  const lines = terminalText(markdown).split('\n')
  const shown: string[] = []
  let fenced = false
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? ''
    if (/^\s*```[^`]*$/.test(line)) {
      fenced = !fenced
    } else if (fenced) {
      shown.push(style('dim', `  ${line}`))
    } else if (isTableRow(line) && isTableRule(lines[index + 1])) {
      let end = index + 2
      while (isTableRow(lines[end] ?? '')) end++
      shown.push(table(lines.slice(index, end), style, width))
      index = end - 1
    } else if (line.trim() !== '' || shown.at(-1) !== '') {
      // The citation of a table stands right below it.
      if (LONE_CITATION.test(line) && shown.at(-1) === '' && shown.at(-2)?.endsWith('┘')) shown.pop()
      const formatted = formatLine(wraps ? line.replace(LONG_WORD, word => word.replace(PART_OF_WORD, '$& ')) : line, style)
      shown.push(wrapped(formatted, view, /^\s*•/.test(formatted) ? '  ' : ''))
    }
  }
  return shown.join('\n')
}

/** Wraps text between words if the view wraps, and indents every line but the first. A number and its unit stay together. */
export function wrapped(text: string, { width, wraps }: Pick<View, 'width' | 'wraps'>, indent = ''): string {
  if (!wraps) return text
  const [lead = '', rest = ''] = /^(\s*)([\s\S]*)/.exec(text)?.slice(1) ?? []
  const further = lead + indent
  const lines = wrapAnsi(rest.replace(BEFORE_UNIT, BOUND), Math.max(1, width - further.length), { hard: true })
  return lead + lines.replaceAll(BOUND, ' ').replaceAll('\n', `\n${further}`)
}

function formatLine(line: string, style: TerminalStyle): string {
  const heading = /^#{1,6}\s+(?!\s)(.*)$/.exec(line)
  if (heading) return style('bold', inline(heading[1] ?? '', style))
  return inline(line.replace(/^(\s*)[-*]\s+/, '$1• '), style)
}

function inline(text: string, style: TerminalStyle): string {
  return withCode(
    text,
    rest =>
      rest
        .replace(/\*\*([^*]+)\*\*/g, (_, strong: string) => style('bold', strong))
        .replace(/(?<![\w\\])_\(([^_]+)\)_(?!\w)/g, (_, aside: string) => style('dim', `(${aside})`))
        .replace(EMPHASIS, (_, stars: string | undefined, lines: string | undefined) => style('italic', stars ?? lines ?? ''))
        .replace(/\[[QE]\d+(?:\s*,\s*[QE]\d+)*\]/g, citation => style('cyan', citation))
        .replace(ESCAPED, '$1'),
    code => style('yellow', code),
  )
}

/**
 * Formats a text, but formats the code in it separately. The text must not contain control characters, because one of them stands
 * for the code meanwhile.
 */
function withCode(text: string, format: (rest: string) => string, formatCode = (code: string) => code): string {
  const pieces: string[] = []
  const rest = text.replace(/`([^`]+)`/g, (_, between: string) => {
    pieces.push(between)
    return CODE
  })
  let shown = 0
  return format(rest).replaceAll(CODE, () => formatCode(pieces[shown++] ?? ''))
}

function isTableRule(line = ''): boolean {
  return isTableRow(line) && /^[\s|:-]+$/.test(line)
}

function table(lines: readonly string[], style: TerminalStyle, width: number): string {
  const [header = [], , ...rows] = lines.map(cellsOf)
  const numeric = new Set(header.flatMap((_, index) => (rows.every(cells => NUMBER.test(cells[index] ?? '')) ? [index] : [])))
  return drawTable({ header, rows, numeric }, width).replace(/\[[QE]\d+(?:\s*,\s*[QE]\d+)*\]/g, citation =>
    style('cyan', citation),
  )
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map(cell => inline(cell.trim().replaceAll('\\|', '|'), PLAIN))
}
