import type { PicturedTable } from '../picture.ts'

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const LID = 5
const POINT = 12
const CORNER = 8
/** Limits a length to 40% of the box's height, because the boxes in the legend are small. */
const ofHeight = (length: number, { height }: Box) => Math.min(length, height / 2.5)

/** The colours of the kinds of tables. They differ in lightness too, and text on each has a contrast above 12:1. */
const COLORS = {
  outside: { fill: '#e6e9ed', line: '#4d5866' },
  input: { fill: '#dceafc', line: '#1f5bb8' },
  intermediate: { fill: '#fff6dd', line: '#94650a' },
  target: { fill: '#d5f3e2', line: '#0d7048' },
} as const satisfies Record<PicturedTable['kind'], object>

/** Draws a table. The shape shows the table's kind, and the outline shows its state. Lines meet the sides at half height. */
export function nodeShape({ kind, state }: Pick<PicturedTable, 'kind' | 'state'>, box: Box): string {
  const { fill, line } = COLORS[kind]
  const dashes = {
    live: '',
    replayed: '',
    replaced: ' stroke-dasharray="1.5 4" stroke-linecap="round"',
    gone: ' stroke-dasharray="7 5"',
  }[state]
  const isThere = state === 'live' || state === 'replayed'
  const outline = (shown: Box, fillColor: string, more: string) =>
    `<path d="${SHAPES[kind](shown)}" fill="${fillColor}" stroke="${line}" stroke-width="${isThere ? 1.8 : 2.2}" stroke-linejoin="round"${more}/>`
  const own = outline(box, isThere ? fill : '#ffffff', dashes)
  return state === 'replayed' ? own + outline(inset(box, 4), 'none', '') : own
}

const SHAPES: Readonly<Record<PicturedTable['kind'], (box: Box) => string>> = {
  outside: drum,
  input: plate,
  intermediate: card,
  target: hexagon,
}

/** Draws a drum, the usual symbol of a database. */
function drum({ x, y, width, height }: Box): string {
  const arc = (dx: number, sweep: number) => `a${width / 2} ${LID} 0 0 ${sweep} ${dx} 0`
  return `M${x} ${y + LID}${arc(width, 1)}v${height - 2 * LID}${arc(-width, 1)}zM${x} ${y + LID}${arc(width, 0)}`
}

/** Draws a box whose right side is a point, in the direction in which the rows flow. */
function plate(box: Box): string {
  const { x, y, width, height } = box
  const point = ofHeight(POINT, box)
  return `M${x} ${y}h${width - point}l${point} ${height / 2}l${-point} ${height / 2}h${point - width}z`
}

function card(box: Box): string {
  const { x, y, width, height } = box
  const corner = ofHeight(CORNER, box)
  const arc = (right: number, down: number) => `a${corner} ${corner} 0 0 1 ${right * corner} ${down * corner}`
  const [across, along] = [width - 2 * corner, height - 2 * corner]
  return `M${x + corner} ${y}h${across}${arc(1, 1)}v${along}${arc(-1, 1)}h${-across}${arc(-1, -1)}v${-along}${arc(1, -1)}z`
}

function hexagon(box: Box): string {
  const { x, y, width, height } = box
  const point = ofHeight(POINT, box)
  const across = width - 2 * point
  return `M${x + point} ${y}h${across}l${point} ${height / 2}l${-point} ${height / 2}h${-across}l${-point} ${-height / 2}z`
}

function inset({ x, y, width, height }: Box, by: number): Box {
  return { x: x + by, y: y + by, width: width - 2 * by, height: height - 2 * by }
}
