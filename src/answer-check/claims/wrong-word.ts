import { NOT } from '../figures/wording.ts'
import { isSame } from '../rows/column-words.ts'
import { nameWords } from '../rows/key-name.ts'
import { positionOf } from '../workings/condition.ts'
import { type Around, ownWords, type WorkedFigure } from '../workings/worked-figure.ts'
import { withoutNames } from './wrong-direction.ts'

/** Words of column names that deny the words behind them: `not_cancelled`, `without_value`. */
const DENIES = /^(?:not|never|without|excluding|ohne|nicht|kein\p{L}*)$/u
const DENIED = new RegExp(`${NOT.source}|(?<!\\p{L})(?:none|without|ohne)(?!\\p{L})`, 'iu')
/** Matches words for a state: "cancelled", "due", "open". */
const IS_STATE = /.ed$|^(?:due|open|paid|late|early|lost|won|left|new|old|returning|done|sold|seen|known|ge\p{L}+(?:t|en))$/u
const OPEN = /(?<!\p{L})(?:than|als|only|nur|other|otherwise|rest|but|except)(?!\p{L})/iu

/** Reports a word beside a figure that contradicts the column of its working: "12 were cancelled" for the column `not_cancelled`. */
export function wrongWord(each: WorkedFigure, around: Around): string | undefined {
  return wrongState(each, around) ?? wrongTime(each, around)
}

/** Pairs of states that exclude each other. */
const OPPOSITES =
  'open/closed offen/geschlossen included/left included/excluded accepted/rejected passed/failed won/lost early/late new/old new/returning'
    .split(' ')
    .map(pair => pair.split('/'))

interface State {
  readonly word: string
  readonly isDenied: boolean
}

/** Returns the states in the name of the working's column, or in its conditions. */
function statesOf({ parts }: WorkedFigure, { bench }: Around): readonly State[] {
  const [part, ...others] = parts
  const query = bench.queries.find(({ id }) => id === part?.query)
  if (part === undefined || query === undefined || others.length > 0) return []
  const ofConditions = part.conditions.flatMap(({ column, operator, value }): readonly State[] => {
    if (!/^(?:=|!=|<>)$/.test(operator)) return []
    const isNot = operator !== '='
    if (typeof value === 'string') return statesIn(nameWords(value), isNot)
    if (value !== null) return []
    return statesIn(nameWords(query.columns[positionOf(query, column)]?.name ?? ''), !isNot)
  })
  const states = [...statesIn(nameWords(part.column ?? ''), false), ...ofConditions]
  const opposites = states.flatMap(({ word, isDenied }) =>
    OPPOSITES.filter(pair => pair.includes(word)).flatMap(pair =>
      pair.map(opposite => ({ word: opposite, isDenied: !isDenied })),
    ),
  )
  return [...states, ...opposites.filter(({ word }) => !states.some(state => state.word === word))]
}

function statesIn(words: readonly string[], isNot: boolean): readonly State[] {
  const denial = words.findIndex(word => DENIES.test(word))
  return words.flatMap((word, at) => {
    const [, opposite] = /^un(\p{L}{4,})$/u.exec(word) ?? []
    if (opposite !== undefined) return [{ word: opposite, isDenied: !isNot }]
    return IS_STATE.test(word) ? [{ word, isDenied: isNot !== (denial >= 0 && at > denial) }] : []
  })
}

function wrongState(each: WorkedFigure, around: Around): string | undefined {
  const [before, behind] = ownWords(each, { ...around, parsed: withoutNames(around.parsed) })
  const claim = `${before} ${behind}`
  if (each.value === 0 || OPEN.test(claim)) return undefined
  for (const { word, isDenied } of statesOf(each, around)) {
    const said = [...claim.matchAll(/(?<!\p{L})(un)?(\p{L}{3,})(?!\p{L})/giu)].find(([, , written = '']) =>
      isSame(written.toLowerCase(), word),
    )
    if (said === undefined) continue
    const lead = claim.slice(0, said.index).replace(/^[\s\S]*[,;:(]/u, '')
    const isSaidDenied = DENIED.test(lead) !== (said[1] !== undefined)
    if (isSaidDenied !== isDenied) return `${each.figure.text} is of what is ${isDenied ? 'not ' : ''}${word} in the rows`
  }
  return undefined
}

/** Reports a day whose words fit another column of days: "was retired on 25 March {= in_service_from[1]}". */
function wrongTime(each: WorkedFigure, around: Around): string | undefined {
  const [part, ...others] = each.parts
  const times = around.results.find(({ id }) => id === part?.query)?.times ?? []
  if (!part?.isTime || others.length > 0) return undefined
  const words = plain(ownWords(each, around).join(' ')).match(/\p{L}{4,}/gu) ?? []
  const isSaid = (name: string) => nameWords(plain(name)).some(own => own.length > 3 && words.some(word => isSame(word, own)))
  const [other, ...more] = times.filter(({ name }) => name !== part.column && isSaid(name))
  if (other === undefined || more.length > 0 || isSaid(part.column ?? '')) return undefined
  return `${each.figure.text} is ${part.column}, not ${other.name}`
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')
}
