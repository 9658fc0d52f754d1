const LETTERS = 26

/** Returns the letters of a column, as in a spreadsheet: A to Z, then AA. Results with more than 702 columns have none for the rest. */
export function columnLetters(position: number): string {
  const letter = (at: number) => String.fromCharCode(65 + at)
  if (position < LETTERS) return letter(position)
  const first = Math.floor(position / LETTERS) - 1
  return first < LETTERS ? letter(first) + letter(position % LETTERS) : ''
}
