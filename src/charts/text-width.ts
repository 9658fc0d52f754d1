import stringWidth from 'string-width'

/** Widths of letters of the font in ems, from its own tables, rounded up: there is no canvas that could measure. */
const NARROW = 0.36
const WIDE = 1
const CAPITAL = 0.79
const OTHER = 0.64
/** What takes two columns of a terminal is a whole em wide. */
const DOUBLE = 1.05

/** About how many pixels a text takes. */
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

/** The text, or as much of it as fits with an ellipsis behind it. */
export function fittingText(text: string, size: number, width: number, isBold = false): string {
  if (textWidth(text, size, isBold) <= width) return text
  const characters = [...text]
  while (characters.length > 1 && textWidth(`${characters.join('')}…`, size, isBold) > width) characters.pop()
  return `${characters.join('').trimEnd()}…`
}
