const COUNTS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const GERMAN_COUNTS = 'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'.split(' ')

/** Number words up to twelve, `both`, multiples and fractions. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...COUNTS.map((word, value) => [word, value] as const),
  ...GERMAN_COUNTS.map((word, value) => [word, value] as const),
  ['both', 2],
  ['beide', 2],
  ['beiden', 2],
])

const PARTS = 'third quarter fifth sixth seventh eighth ninth tenth'.split(' ')
const GERMAN_PARTS = 'drittel viertel fünftel sechstel siebtel achtel neuntel zehntel'.split(' ')

/** Multiples and fractions: `twice`, `two thirds`, `four in ten`, `one and a half`. */
export const RATIO_WORDS: ReadonlyMap<string, number> = new Map([
  ['twice', 2],
  ['half', 0.5],
  ['doppelt', 2],
  ['doppelte', 2],
  ['hälfte', 0.5],
  ['halb', 0.5],
  ...Object.entries({ double: 2, triple: 3, treble: 3, quadruple: 4, halve: 0.5 }).flatMap(([verb, value]) =>
    [verb, `${verb}d`].map(word => [word, value] as const),
  ),
  ...Object.entries({ verdoppelt: 2, halbiert: 0.5 }).flatMap(([verb, value]) => inflected(verb, value)),
  ...COUNTS.slice(3).map((count, index) => [`${count}fold`, index + 3] as const),
  ...GERMAN_COUNTS.slice(3).flatMap((count, index) => [
    [`${count}mal so`, index + 3] as const,
    ...inflected(`ver${count}facht`, index + 3),
  ]),
  ...PARTS.flatMap((_, index) => fractionsOf(index + 3)),
  ...Object.entries({ eleven: 11, twelve: 12, fifteen: 15, twenty: 20, thirty: 30, fifty: 50, 'a hundred': 100 }).map(
    ([words, divisor]) => [`one in ${words}`, 1 / divisor] as const,
  ),
  ...COUNTS.slice(1).flatMap((count, index) =>
    Object.entries({ 'a half': 1 / 2, 'a third': 1 / 3, 'a quarter': 1 / 4, 'three quarters': 3 / 4, 'two thirds': 2 / 3 }).map(
      ([part, value]) => [`${count} and ${part}`, index + 1 + value] as const,
    ),
  ),
])

function inflected(verb: string, value: number): (readonly [string, number])[] {
  return ['', 'e', 'en'].map(ending => [`${verb}${ending}`, value])
}

/** Returns the fractions with this divisor in words, and their values. */
function fractionsOf(divisor: number): (readonly [string, number])[] {
  const [part, germanPart] = [PARTS[divisor - 3], GERMAN_PARTS[divisor - 3]]
  return COUNTS.slice(1, divisor).flatMap((count, index) => {
    const germanCount = GERMAN_COUNTS[index + 1]
    const words =
      index === 0 ? [`a ${part}`, `one ${part}`, `ein ${germanPart}`] : [`${count} ${part}s`, `${germanCount} ${germanPart}`]
    return [...words, `${count} in ${COUNTS[divisor]}`].map(word => [word, (index + 1) / divisor] as const)
  })
}

const MULTIPLIER_NAMES: readonly (readonly [number, string])[] = [
  [1e3, 'k|K|thousand|Tsd.|Tsd|Tausend|tausend|mil|mille|mila|duizend|tusen|tusind|tys.'],
  [1e6, 'M|m|mn|million|millions|Mio.|Mio|Million|Millionen|millón|millon|millones|milhão|milhões|milione|milioni'],
  [1e6, 'miljoen|miljon|miljoner|millioner|mln|mln.'],
  [1e9, 'B|bn|Bn|billion|billions|Mrd.|Mrd|Milliarde|Milliarden|mil millones|milliard|milliards|bilhão|bilhões'],
  [1e9, 'miliardo|miliardi|miljard|miljarder|milliarder|mld|mld.'],
  [1e12, 'T|tn|trillion|trillions|Billionen'],
]
export const MULTIPLIERS: ReadonlyMap<string, number> = new Map(
  MULTIPLIER_NAMES.flatMap(([value, names]) => names.split('|').map(name => [name, value] as const)),
)

const MONTH_NAMES = [
  'january jan januar jänner janvier enero gennaio janeiro januari stycznia styczeń',
  'february feb februar février febrero febbraio fevereiro februari lutego luty',
  'march mar märz mars marzo março maart marca marzec',
  'april apr avril abril aprile kwietnia kwiecień',
  'may mai mayo maggio maio mei maj maja',
  'june jun juni juin junio giugno junho czerwca czerwiec',
  'july jul juli juillet julio luglio julho lipca lipiec',
  'august aug août agosto augusti augustus sierpnia sierpień',
  'september sep sept septembre septiembre settembre setembro września wrzesień',
  'october oct oktober okt octobre octubre ottobre outubro października październik',
  'november nov novembre noviembre novembro listopada listopad',
  'december dec dezember dez décembre diciembre dicembre dezembro desember grudnia grudzień',
]
export const MONTHS: ReadonlyMap<string, number> = new Map(
  MONTH_NAMES.flatMap((names, index) => names.split(' ').map(name => [name, index + 1] as const)),
)
const WEEKDAY_NAMES = [
  'sunday sonntag',
  'monday montag',
  'tuesday dienstag',
  'wednesday mittwoch',
  'thursday donnerstag',
  'friday freitag',
  'saturday samstag sonnabend',
]
export const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  WEEKDAY_NAMES.flatMap((names, index) => names.split(' ').map(name => [name, index] as const)),
)
