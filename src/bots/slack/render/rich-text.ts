import type { RichTextBlock, RichTextBlockElement, RichTextElement, RichTextText } from '@slack/types'
import type { Span } from '../../markdown/span.ts'

/**
 * Builds a rich-text block. Unlike `mrkdwn` and `markdown`, its elements show text literally, without mentions, links or markup
 * (docs.slack.dev/reference/block-kit/blocks/rich-text-block).
 */
export function richText(...elements: RichTextBlockElement[]): RichTextBlock {
  return { type: 'rich_text', elements }
}

export function spanElements(spans: readonly Span[]): RichTextElement[] {
  const elements = spans.flatMap((span): RichTextElement[] => {
    const { text, link, ...style } = span
    const styled = Object.keys(style).length === 0 ? {} : { style }
    if (link !== undefined) return [{ type: 'link', url: link, text, ...styled }]
    return text === '' ? [] : textElements(text).map(element => ({ ...element, ...styled }))
  })
  return elements.length === 0 ? textElements(' ') : elements
}

export function textElements(text: string): RichTextText[] {
  return literalParts(text).map(part => ({ type: 'text', text: part }))
}

/**
 * Splits a text so that no element contains a whole `<!here>`, `@channel` or `http://`. Rich text already shows these literally.
 * This is a second safeguard in case a client reads them anyway.
 */
export function literalParts(text: string): readonly string[] {
  return text.split(/(?<=<)(?=[@!#])|(?<=@)(?=here|channel|everyone)|(?<=:)(?=\/\/)/)
}
