import type { QueryReport } from '../run-result.ts'
import { parseFigures } from './figures.ts'
import { fits } from './fits.ts'
import type { Problem } from './unsupported-figure.ts'
import { type NamedRows, type Working, workOut } from './working.ts'

/** Characters in front of a working among which its figure is looked for: "3.2 million active users {= …}". */
const REACH = 60

export interface Proof {
  /** Figures that their workings come to, as `digitsOf` has them. */
  readonly proven: ReadonlySet<string>
  /** Figures that their workings do not come to. */
  readonly wrong: readonly Problem[]
  /** Workings that could not be worked out: their figures are checked like any other. */
  readonly faults: readonly Problem[]
}

/** Works out the workings of a text over whole results, each for the last figure in front of it. */
export function proveFigures(
  text: string,
  workings: readonly Working[],
  queries: readonly QueryReport[],
  question: string,
): Proof {
  const proven = new Set<string>()
  const wrong: Problem[] = []
  const faults: Problem[] = []
  for (const { at, expression } of workings) {
    const before = text.slice(Math.max(0, at - REACH), at)
    const figure = parseFigures(before, [], `${question} ${text}`).at(-1)
    if (figure === undefined) continue
    const worked = workOut(expression, queries)
    if ('fault' in worked) faults.push({ text: figure.text, reason: `{= ${expression}}: ${worked.fault}` })
    else if (isOfAnother(text, worked.about))
      wrong.push({
        text: figure.text,
        reason: `the working of ${figure.text} is about ${worked.about.map(({ name }) => name).join(', ')}, which the sentence does not name`,
      })
    else if (fits(worked.value, figure) || fits(-worked.value, figure)) proven.add(digitsOf(figure.text))
    else wrong.push({ text: figure.text, reason: `${figure.text} is not what its working comes to: ${shown(worked.value)}` })
  }
  return { proven, wrong, faults }
}

function shown(value: number): string {
  return String(Number(value.toPrecision(8)))
}

/** Whether a text names things of the kind that a working is about, but none that it is about. */
function isOfAnother(text: string, about: readonly NamedRows[]): boolean {
  if (about.length === 0 || about.some(({ name }) => isNamed(text, name))) return false
  return about.some(({ others }) => others.some(other => isNamed(text, other)))
}

/** Whether a text holds a name as a word of its own. */
function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + name.length] ?? ' '}`
    if (!/[\p{L}\p{N}]/u.test(around)) return true
  }
  return false
}

/** A figure without its unit, which may be a name of the results and then stands apart. */
export function digitsOf(text: string): string {
  return /\d(?:[\d.,'’\u00a0\u202f ]*\d)?/.exec(text)?.[0] ?? text.toLowerCase()
}
