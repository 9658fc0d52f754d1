import stringWidth from 'string-width'

/**
 * The widths of groups of letters, rounded up, in ems. They come from the font's tables, because no canvas is available to
 * measure text.
 */
const NARROW = 0.36
const WIDE = 1
const CAPITAL = 0.79
const OTHER = 0.64
/** The width in ems of a wide character, such as a Chinese one. */
const DOUBLE = 1.05

/** Estimates a text's width in pixels. */
export function textWidth(text: string, size: number, isBold = false): number {
  let ems = 0
  for (const character of text)
    ems += /[\s.,:;'|!()[\]ijlrtfI/]/.test(character)
      ? NARROW
      : /[mwMW@%…—]/.test(character)
        ? WIDE
        : /[A-Z]/.test(character)
          ? CAPITAL
          : widthOf(character)
  return ems * size * (isBold ? 1.12 : 1)
}

function widthOf(character: string): number {
  const columns = character <= '\u02ff' ? 1 : stringWidth(character)
  return columns === 2 ? DOUBLE : columns === 0 ? 0 : OTHER
}

/** Returns the text. If it is too wide, returns as much of its start as fits, followed by an ellipsis. */
export function fittingText(text: string, size: number, width: number, isBold = false): string {
  if (textWidth(text, size, isBold) <= width) return text
  const characters = [...text]
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, size, isBold) > width) characters.pop()
  return `${characters.join('').trimEnd()}…`
}
