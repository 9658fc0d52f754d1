import { CHART_STYLE } from '../style.ts'
import { textWidth } from '../text-width.ts'
import type { Point } from './fold-graph.ts'

const TAGS = { suspected: '#b3161b', other: '#7a3d00' } as const
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Returns an SVG text element. Markup characters in the text are escaped. */
export function svgText(
  text: string,
  { x, y }: Point,
  look: { readonly size: number; readonly color: string; readonly isBold?: boolean; readonly isMiddle?: boolean },
): string {
  const { size, color, isBold = false, isMiddle = false } = look
  const marks = `${isBold ? ' font-weight="bold"' : ''}${isMiddle ? ' text-anchor="middle"' : ''}`
  const written = text.replace(/[&<>"']/g, character => ENTITIES[character] ?? '')
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${color}"${marks}>${written}</text>`
}

/** Draws a frame around a node, and a tag above the frame that names the problem. */
export function shapeTag(
  text: string,
  { x, y, width, height }: Point & { readonly width: number; readonly height: number },
  suspected: boolean,
): string {
  const color = suspected ? TAGS.suspected : TAGS.other
  const size = CHART_STYLE.smallSize - 1
  const tagWidth = Math.min(width, textWidth(text, size, true) + 12)
  const flag = { x: x + (width - tagWidth) / 2, y: y - 20 }
  return [
    `<rect x="${x - 5}" y="${y - 5}" width="${width + 10}" height="${height + 10}" rx="8" fill="none" stroke="${color}" stroke-width="3"/>`,
    `<rect x="${flag.x}" y="${flag.y}" width="${tagWidth}" height="17" rx="4" fill="${color}"/>`,
    svgText(text, { x: x + width / 2, y: flag.y + 13 }, { size, color: '#ffffff', isBold: true, isMiddle: true }),
  ].join('')
}
