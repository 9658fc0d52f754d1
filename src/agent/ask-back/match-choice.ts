import type { Interrupt } from './interrupt.ts'

const ORDINALS = [
  /^(?:first|erste[nrs]?)$/,
  /^(?:second|zweite[nrs]?)$/,
  /^(?:third|dritte[nrs]?)$/,
  /^(?:fourth|vierte[nrs]?)$/,
  /^(?:fifth|fünfte[nrs]?)$/,
  /^(?:sixth|sechste[nrs]?)$/,
  /^(?:seventh|siebte[nrs]?)$/,
  /^(?:eighth|achte[nrs]?)$/,
  /^(?:ninth|neunte[nrs]?)$/,
  /^(?:tenth|zehnte[nrs]?)$/,
]
const NUMBER = /^(?:option |nummer |choice |number |no\.? |nr\.? |# ?)?(\d{1,2})$/
const ORDINAL = /^(?:the |d(?:er|ie|as|en) )?(?:(\d{1,2})(?:st|nd|rd|th)|([a-zü]+))(?: one| option| choice)?$/

const YES = [
  'yes',
  'y',
  'yeah',
  'yep',
  'ok',
  'okay',
  'sure',
  'go',
  'go on',
  'go ahead',
  'do',
  'do it',
  'run',
  'run it',
  'run them',
  'proceed',
  'ja',
  'j',
  'gern',
  'gerne',
  'mach',
  'mach das',
  'los',
]
const NO = [
  'no',
  'n',
  'nope',
  'stop',
  'stop it',
  'cancel',
  'abort',
  'never mind',
  'nevermind',
  "don't",
  'dont',
  'do not',
  "don't run it",
  'nein',
  'nee',
  'nicht',
  'lieber nicht',
  'stopp',
  'halt',
]
const LESS = ['less', 'narrow it', 'ask less', 'cheaper', 'narrower', 'weniger', 'billiger']
const COURTESY = /,? ?\b(?:please|just|thanks|thank you|bitte|danke)\b/g

/**
 * Returns the index of the choice that a reply means. The reply may give its number, its position ("the second"), its words, or
 * an obvious yes or no. Undefined for any other reply, because Clew must not guess.
 */
export function matchChoice(reply: string, { kind, choices }: Pick<Interrupt, 'kind' | 'choices'>): number | undefined {
  const said = plain(reply)
  if (said === '') return undefined
  const readings = [
    choices.findIndex(({ label, value }) => said === plain(label) || said === plain(value)),
    kind === 'need_confirm' ? decisionOf(said, choices) : -1,
    choiceIndex(said, choices.length),
  ]
  return readings.find(index => index >= 0 && index < choices.length)
}

function decisionOf(said: string, choices: Interrupt['choices']): number {
  // All parts of a reply such as "Yes, run it" must mean the same choice.
  const parts = said
    .replace(COURTESY, '')
    .split(', ')
    .map(part => part.trim())
  const isAll = (words: readonly string[]) => parts.every(part => words.includes(part))
  if (isAll(YES)) return 0
  if (isAll(NO)) return choices.length - 1
  return isAll(LESS) ? choices.findIndex(({ value }) => value === 'narrow') : -1
}

/** Reads "2", "option 2", "the second" and "the last one". Returns the index of that choice, or -1 for any other text. */
function choiceIndex(said: string, count: number): number {
  const number = NUMBER.exec(said)?.[1]
  if (number !== undefined) return Number(number) - 1
  const [, digits, word = ''] = ORDINAL.exec(said) ?? []
  if (digits !== undefined) return Number(digits) - 1
  return /^(?:last|letzte[nrs]?)$/.test(word) ? count - 1 : ORDINALS.findIndex(ordinal => ordinal.test(word))
}

/** Removes quotes, markup and the final full stop. Turns the rest into lower case. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[*_`"“”„()[\]]/g, '')
    .replace(/\s+/g, ' ')
    .replace(/(?<![\s.!:,;])[\s.!:,;]+$/, '')
    .trim()
}
