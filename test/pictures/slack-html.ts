import { drawPicture } from '../../src/charts/draw-picture.ts'
import type { Picture } from '../../src/charts/picture.ts'
import { isObject, type JsonObject } from '../emulators/discord/json.ts'
import type { ShownMessage } from '../emulators/slack/transcript.ts'
import { escapeHtml, imageAddress } from './html.ts'

/** Renders a message as HTML that looks like Slack. In place of a chart that Slack itself would draw, it shows Clew's picture of it. */
export function slackMessageHtml({ blocks, text, files }: ShownMessage, chart: Picture | undefined): string {
  const shown =
    blocks.length === 0 ? `<p>${escapeHtml(text)}</p>` : blocks.map(block => blockHtml(block as JsonObject, chart)).join('')
  return shown + files.map(({ content }) => `<img class="chart" src="${imageAddress(content)}">`).join('')
}

function blockHtml(block: JsonObject, chart: Picture | undefined): string {
  switch (block.type) {
    case 'rich_text':
      return objects(block.elements).map(richHtml).join('')
    case 'header':
      return `<h3>${textHtml(block.text)}</h3>`
    case 'section':
      return `<p>${textHtml(block.text)}</p>`
    case 'context':
      return `<div class="small">${objects(block.elements).map(textHtml).join(' ')}</div>`
    case 'divider':
      return '<hr>'
    case 'table':
    case 'data_table':
      return tableHtml(block)
    case 'actions':
      return `<div class="buttons">${objects(block.elements).map(buttonHtml).join('')}</div>`
    case 'data_visualization':
      return chart === undefined ? '' : `<img class="chart" src="${imageAddress(drawPicture(chart))}">`
    default:
      throw new Error(`no picture of a block of type ${String(block.type)}`)
  }
}

function richHtml(element: JsonObject): string {
  const inner = objects(element.elements)
  if (element.type === 'rich_text_list') {
    const tag = element.style === 'ordered' ? 'ol' : 'ul'
    return `<${tag}>${inner.map(item => `<li>${objects(item.elements).map(spanHtml).join('')}</li>`).join('')}</${tag}>`
  }
  const text = inner.map(spanHtml).join('')
  if (element.type === 'rich_text_preformatted') return `<pre>${text}</pre>`
  return element.type === 'rich_text_quote' ? `<blockquote>${text}</blockquote>` : `<p>${text}</p>`
}

function spanHtml({ text, style, url }: JsonObject): string {
  const marks = isObject(style) ? ['bold', 'italic', 'strike', 'code'].filter(mark => style[mark] === true) : []
  const tags: Readonly<Record<string, string>> = { bold: 'b', italic: 'i', strike: 's', code: 'code' }
  const inner = escapeHtml(String(text ?? url ?? '')).replaceAll('\n', '<br>')
  return marks.reduce((html, mark) => `<${tags[mark]}>${html}</${tags[mark]}>`, url === undefined ? inner : `<a>${inner}</a>`)
}

/** A text in `mrkdwn` is already escaped. Other texts are escaped here. */
function textHtml(text: unknown): string {
  const { text: written, type } = isObject(text) ? text : {}
  const shown = type === 'mrkdwn' ? String(written) : escapeHtml(String(written))
  return shown.replace(/\*([^*\n]+)\*/g, '<b>$1</b>').replaceAll('\n', '<br>')
}

function tableHtml({ rows, column_settings: settings }: JsonObject): string {
  const aligns = objects(settings).map(({ align }) => String(align ?? 'left'))
  const cell = (tag: string) => (value: JsonObject, column: number) => {
    const text = value.type === 'rich_text' ? objects(value.elements).map(richHtml).join('') : escapeHtml(String(value.text))
    return `<${tag} style="text-align:${aligns[column] ?? 'left'}">${text}</${tag}>`
  }
  const [head = [], ...rest] = Array.isArray(rows) ? rows.map(objects) : []
  return `<table><tr>${head.map(cell('th')).join('')}</tr>${rest.map(row => `<tr>${row.map(cell('td')).join('')}</tr>`).join('')}</table>`
}

function buttonHtml({ text, style }: JsonObject): string {
  return `<span class="button ${String(style ?? '')}">${textHtml(text)}</span>`
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export const SLACK_STYLE = `
  body { background: #fff; color: #1d1c1d; }
  .app { background: #ebeaeb; color: #616061; }
  h3 { font-size: 18px; margin: 6px 0; }
  .small { font-size: 13px; color: #616061; margin-top: 6px; }
  code { color: #c01343; background: #f6f6f6; border: 1px solid #ddd; border-radius: 3px; padding: 1px 3px; font-size: 12px; }
  pre { background: #f6f6f6; border: 1px solid #ddd; border-radius: 4px; padding: 8px; font-size: 12px; }
  table { border-collapse: collapse; margin: 6px 0; font-size: 14px; }
  th, td { border: 1px solid #ddd; padding: 5px 12px; }
  th { background: #f8f8f8; }
  .button { border: 1px solid #bbb; border-radius: 4px; padding: 3px 12px; font-size: 13px; font-weight: 700; }
  .button.primary { background: #007a5a; border-color: #007a5a; color: #fff; }
  .button.danger { border-color: #e01e5a; color: #e01e5a; }
  img.chart { border: 1px solid #ddd; }
  .mention { background: #e8f5fa; color: #1264a3; border-radius: 3px; padding: 0 2px; }
`
