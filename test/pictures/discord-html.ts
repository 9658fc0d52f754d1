import { Marked } from 'marked'
import type { ShownMessage } from '../emulators/discord/transcript.ts'
import { escapeHtml, imageAddress } from './html.ts'

const STYLE_OF_BUTTON: Readonly<Record<number, string>> = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger' }

/** Renders a message as HTML that looks like Discord's dark theme. */
export function discordMessageHtml({ embeds, content, files, buttons }: ShownMessage): string {
  const picture = files.find(file => file.name.endsWith('.png'))
  const image = picture === undefined ? '' : `<img class="chart" src="${imageAddress(picture.content)}">`
  const [embed] = embeds
  const text =
    embed === undefined ? markdownHtml(content) : `<div class="embed">${markdownHtml(String(embed.description))}${image}</div>`
  const row = buttons.map(
    ({ label, style }) => `<span class="button ${STYLE_OF_BUTTON[style] ?? ''}">${escapeHtml(label)}</span>`,
  )
  return `${text}${row.length === 0 ? '' : `<div class="buttons">${row.join('')}</div>`}`
}

/** Renders Discord's Markdown. Unlike GitHub's, every line break counts, and `-#` begins small print. */
function markdownHtml(markdown: string): string {
  const marked = new Marked({ gfm: true, breaks: true, async: false })
  const parts = markdown.split(/((?:^-# .*\n?)+)/m).map(part => {
    if (!part.startsWith('-# ')) return marked.parse(part) as string
    return `<div class="small">${marked.parse(part.replace(/^-# /gm, '')) as string}</div>`
  })
  return parts.join('')
}

export const DISCORD_STYLE = `
  body { background: #313338; color: #dbdee1; }
  .face { border-radius: 50%; }
  .author b { color: #f2f3f5; }
  .app { background: #5865f2; color: #fff; }
  .embed { background: #2b2d31; border-left: 4px solid #5865f2; border-radius: 4px; padding: 10px 14px 8px; margin-top: 4px; max-width: 520px; font-size: 14px; }
  .small { font-size: 12px; color: #949ba4; margin-top: 4px; }
  .small p { margin: 0; }
  code { background: #1e1f22; border-radius: 4px; padding: 1px 4px; font-size: 13px; }
  pre { background: #1e1f22; border: 1px solid #1a1b1e; border-radius: 4px; padding: 7px 9px; }
  pre code { background: none; padding: 0; white-space: pre; line-height: 1.3; }
  .button { background: #4e5058; color: #fff; border-radius: 4px; padding: 6px 14px; font-size: 14px; }
  .button.primary { background: #5865f2; }
  .button.danger { background: #da373c; }
  .mention { background: #3c4270; color: #c9cdfb; border-radius: 3px; padding: 0 2px; }
`
