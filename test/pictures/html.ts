/** Escapes a text for use in HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

export function imageAddress(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
}

export interface Speaker {
  readonly name: string
  readonly color: string
  readonly isApp: boolean
}

export const ASKER: Speaker = { name: 'Alice', color: '#8a5cd1', isApp: false }
export const CLEW: Speaker = { name: 'Clew', color: '#2563c9', isApp: true }

/** Renders one message with its author. `time` is the time as the chat client would show it. */
export function messageHtml({ name, color, isApp }: Speaker, time: string, body: string): string {
  const app = isApp ? '<span class="app">APP</span>' : ''
  return `<div class="message"><div class="face" style="background:${color}">${escapeHtml(name.charAt(0))}</div><div class="body"><div class="author"><b>${escapeHtml(name)}</b>${app}<span class="time">${time}</span></div>${body}</div></div>`
}

/** Renders a page that tells its height, so that the screenshot can have this height, and the characters that no font can draw. */
export function pageHtml(style: string, messages: readonly string[]): string {
  return `<!doctype html><html><head><meta charset="utf-8"><style>${BASE}${style}</style></head><body>${messages.join('')}<script>${TELL}</script></body></html>`
}

/**
 * A character that no font has is drawn as a box, as is the last code point, which never has a glyph. Both are drawn in the font of
 * the page, and compared.
 */
const TELL = `
  const { dataset } = document.documentElement
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const drawn = character => {
    context.clearRect(0, 0, canvas.width, canvas.height)
    context.font = getComputedStyle(document.body).font
    context.fillText(character, 10, 50)
    return canvas.toDataURL()
  }
  const box = drawn('\\u{10FFFF}')
  const isShown = character => !/[\\s\\p{Cf}\\p{Mn}]/u.test(character)
  dataset.missing = [...new Set(document.body.innerText)].filter(character => isShown(character) && drawn(character) === box).join(' ')
  dataset.height = String(Math.ceil(document.body.getBoundingClientRect().height))
`

const BASE = `
  * { box-sizing: border-box; }
  html { margin: 0; }
  body { margin: 0; padding: 14px 18px; width: 680px; font: 15px/1.46 Lato, "DejaVu Sans", "Noto Color Emoji", sans-serif; }
  .message { display: flex; gap: 10px; padding: 6px 0; }
  .face { width: 36px; height: 36px; border-radius: 8px; color: #fff; font-weight: 900; font-size: 18px; display: grid; place-items: center; flex: none; }
  .body { min-width: 0; flex: 1; }
  .author { display: flex; align-items: baseline; gap: 6px; }
  .time { font-size: 12px; opacity: .65; }
  .app { font-size: 10px; font-weight: 700; border-radius: 3px; padding: 1px 4px; }
  code, pre { font-family: "DejaVu Sans Mono", monospace; }
  pre { margin: 4px 0; white-space: pre-wrap; }
  ul, ol { margin: 4px 0; padding-left: 24px; }
  p { margin: 0 0 6px; }
  .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; }
  img.chart { display: block; width: 100%; max-width: 520px; border-radius: 6px; margin-top: 8px; }
`
