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

/** Multiples and fractions: `twice`, `two thirds`, `four in ten`. */
export const RATIO_WORDS: ReadonlyMap<string, number> = new Map([
  ['twice', 2],
  ['double', 2],
  ['doubled', 2],
  ['triple', 3],
  ['tripled', 3],
  ['half', 0.5],
  ['halved', 0.5],
  ['doppelt', 2],
  ['doppelte', 2],
  ['verdoppelt', 2],
  ['hälfte', 0.5],
  ['halb', 0.5],
  ...PARTS.flatMap((_, index) => fractionsOf(index + 3)),
])

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

export const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ['k', 1e3],
  ['K', 1e3],
  ['thousand', 1e3],
  ['Tsd.', 1e3],
  ['Tsd', 1e3],
  ['Tausend', 1e3],
  ['tausend', 1e3],
  ['M', 1e6],
  ['m', 1e6],
  ['mn', 1e6],
  ['million', 1e6],
  ['millions', 1e6],
  ['Mio.', 1e6],
  ['Mio', 1e6],
  ['Million', 1e6],
  ['Millionen', 1e6],
  ['B', 1e9],
  ['bn', 1e9],
  ['Bn', 1e9],
  ['billion', 1e9],
  ['Mrd.', 1e9],
  ['Mrd', 1e9],
  ['Milliarde', 1e9],
  ['Milliarden', 1e9],
  ['T', 1e12],
  ['tn', 1e12],
  ['trillion', 1e12],
  ['Billionen', 1e12],
  ...['mil', 'mille', 'mila', 'duizend', 'tusen', 'tusind', 'tys.'].map(word => [word, 1e3] as const),
  ...[
    'millón',
    'millon',
    'millones',
    'milhão',
    'milhões',
    'milione',
    'milioni',
    'miljoen',
    'miljon',
    'miljoner',
    'millioner',
    'mln',
    'mln.',
  ].map(word => [word, 1e6] as const),
  ...[
    'billions',
    'mil millones',
    'milliard',
    'milliards',
    'bilhão',
    'bilhões',
    'miliardo',
    'miliardi',
    'miljard',
    'miljarder',
    'milliarder',
    'mld',
    'mld.',
  ].map(word => [word, 1e9] as const),
  ['trillions', 1e12],
])

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
