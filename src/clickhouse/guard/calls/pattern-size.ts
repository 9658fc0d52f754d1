const REPETITION = /^\{(\d+)(?:,(\d*))?\}/
const CLASS = /^\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]/
const QUOTED = /^\\Q/

/**
 * Returns the number of elements of a regular expression after repetitions such as `(a?){900}` are expanded. For every character
 * of a text, the engine's matcher takes time in proportion to this number. Returns undefined for syntax that it cannot parse. The
 * result is meaningless for a pattern that the engine refuses.
 */
export function patternSize(pattern: string): number | undefined {
  /**
   * The open groups, outermost first: the size so far (`sum`), and the size of the last element (`last`), which a repetition
   * multiplies.
   */
  const groups = [{ sum: 0, last: 0 }]
  const add = (size: number) => {
    const group = groups.at(-1)
    if (group === undefined) return
    group.sum += size
    group.last = size
  }
  for (let rest = pattern; rest !== ''; ) {
    if (QUOTED.test(rest)) return undefined
    const repetition = REPETITION.exec(rest)
    const group = groups.at(-1)
    let length = 1
    if (repetition !== null && group !== undefined) {
      const times = Math.max(1, Number(repetition[1]), Number(repetition[2] ?? 0))
      group.sum += group.last * (times - 1)
      group.last *= times
      length = repetition[0].length
    } else if (rest.startsWith('(')) groups.push({ sum: 1, last: 0 })
    else if (rest.startsWith(')')) {
      if (groups.length === 1) return undefined
      add(groups.pop()?.sum ?? 0)
    } else if (rest.startsWith('[')) {
      const bracket = CLASS.exec(rest)
      if (bracket === null) return undefined
      length = bracket[0].length
      add(1)
    } else if ('*+?|'.includes(rest.charAt(0)) && group !== undefined) {
      group.sum += 1
      group.last += 1
    } else {
      if (rest.startsWith('\\')) length = 2
      add(1)
    }
    rest = rest.slice(length)
  }
  return groups.length === 1 ? groups[0]?.sum : undefined
}
