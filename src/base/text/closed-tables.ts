const ROW = /^([\s>]*)\|/
const RULE = /^[\s>]*\|[\s|:]*-[\s|:-]*$/
const BLANK = /^[\s>]*$/
const FENCE = /^[\s>]*(`{3,}(?=[^`]*$)|~{3,}(?!~))\s*(?!\s)(.*)$/

/** Whether a line begins with a bar (`|`), and so belongs to a Markdown table. */
export function isTableRow(line: string): boolean {
  return ROW.test(line)
}

/** Adds a blank line after each table. Otherwise Markdown would take a citation right below the table for a row. Idempotent. */
export function withClosedTables(markdown: string): string {
  if (!markdown.includes('|')) return markdown
  let fence: string | undefined
  let isTable = false
  const lines = markdown.split('\n').flatMap((line, index, all) => {
    const [, mark = '', behind = ''] = FENCE.exec(line) ?? []
    if (fence === undefined && mark !== '') fence = mark
    else if (fence !== undefined && mark.startsWith(fence) && behind === '') fence = undefined
    const next = all[index + 1] ?? ''
    isTable = fence === undefined && isTableRow(line) && (isTable || RULE.test(next))
    const isLast = isTable && !isTableRow(next) && !BLANK.test(next)
    return isLast ? [line, (ROW.exec(line)?.[1] ?? '').trimEnd()] : [line]
  })
  return lines.join('\n')
}
