import { inLanguages, numberText } from './language.ts'

/**
 * A data question that got no answer. `cause` is written without a full stop, because it stands in brackets inside a sentence.
 */
interface NotAnswered {
  readonly question: string
  readonly cause: string
  /** The data source that was asked, if there are several. */
  readonly source?: string | undefined
}

/** A join over several sources. The counts are of distinct keys, in the language's digits. */
interface JoinedText {
  readonly id: string
  readonly left: string
  readonly right: string
  readonly on: string
  readonly met: string
  readonly leftKeys: string
  readonly rightKeys: string
}

type TimeUnit = 'minute' | 'hour' | 'day'

/** The singular and the plural of each unit after "vor" (ago), as in "vor 3 Tagen". */
const GERMAN_UNITS: Readonly<Record<TimeUnit, readonly [string, string]>> = {
  minute: ['Minute', 'Minuten'],
  hour: ['Stunde', 'Stunden'],
  day: ['Tag', 'Tagen'],
}

const GERMAN_MONTHS = 'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ')
const ENGLISH_MONTHS = 'January February March April May June July August September October November December'.split(' ')

/** Splits a day (`2026-10-03`) or a minute (`2026-11-21 14:05`) into its parts. The year is empty if it is the current one. */
function partsOf(moment: string, thisYear: number) {
  const [year, month, day] = moment.slice(0, 10).split('-').map(Number)
  return { year: year === thisYear ? '' : ` ${year}`, month: (month ?? 1) - 1, day, clock: moment.slice(11) }
}

/** Sentences that the program adds to an answer. Names and values are already in backticks. */
const ENGLISH = {
  rows: (count: number, isCut: boolean) =>
    `${numberText(count, 'en')}${isCut ? '+' : ''} ${count === 1 && !isCut ? 'row' : 'rows'}`,
  partlyAnswered: 'Partly answered.',
  notAnswered: (parts: readonly NotAnswered[]) =>
    `Missing: ${parts.map(({ question, cause, source }) => `"${question}" (${source === undefined ? '' : `${source}: `}${cause})`).join('; ')}.`,
  joined: ({ id, left, right, on, met, leftKeys, rightKeys }: JoinedText) =>
    `${id} joins ${left} and ${right} on ${on}: ${met} ${met === '1' ? 'key' : 'keys'} met, of ${leftKeys} and ${rightKeys}.`,
  lostByJoin: (share: string, side: string) => `${share} of the rows of ${side} have no partner and are missing in it.`,
  emptyByJoin: (share: string, side: string) =>
    `${share} of the rows of ${side} have no partner, so their other columns are empty.`,
  spelling: 'Perhaps the two sources write these keys differently.',
  sourceAway: 'this source cannot be reached now',
  notCombined: 'The results of the sources could not be combined, so they stand side by side.',
  notLookedUp: (questions: readonly string[]) =>
    `Not looked up, because it was too much at once: ${questions.map(question => `"${question}"`).join('; ')}. Ask for it separately.`,
  looksWrong: (reason: string) => `It looks wrong that nothing was found: ${reason}`,
  unverified: (count: number) =>
    count === 1
      ? 'One statement does not follow from the rows; it is marked.'
      : `${count} statements do not follow from the rows; they are marked.`,
  cut: (rows: number, total: number | null, question: string | null) => {
    const first = `Only the first ${numberText(rows, 'en')}${total === null ? '' : ` of ${numberText(total, 'en')}`} rows`
    return `${first}${question === null ? '' : ` for "${question}"`} were read${total === null ? '; there are more' : ''}.`
  },
  partRead: (sql: string) => `Only a part of what was asked for was read, because all of it would be too much: \`${sql}\``,
  notJudged: 'Nothing was found; perhaps what was asked for is called otherwise in the data.',
  unread: 'The figures are checked, but nobody could read the words around them.',
  notThere: (value: string, column: string, near: readonly string[]) =>
    `${value} does not occur in ${column}.${near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`}`,
  notCompared: 'No sentence of the answer says which data it comes from.',
  notComparable: 'No sentence of the answer could be compared with the data.',
  assumed: 'Assumed:',
  replaced: (column: string, taken: readonly string[]) =>
    `There is no column ${column}; ${taken.length === 0 ? 'the query does without it' : `${taken.join(' and ')} was taken`}.`,
  multiplied: (table: string, by: string, column: string) =>
    `Figures from ${table} may be too high: ${by} has several rows with the same ${column}, and each may count again.`,
  notChecked: 'Some figures may come from other columns than those that are meant.',
  fromData: (job: string) =>
    `This is from the tables, not from the investigation of \`${job}\`. Ask \`lineage ${job} …\` to go on with that.`,
  unverifiedMark: 'unverified',
  withoutWords: 'The queries ran, but the language model could not put their results into words. Here they are as they came.',
  noRows: 'No rows.',
  moreRows: (count: number | null) =>
    count === null
      ? 'There are more rows, which are not shown.'
      : count === 1
        ? 'One more row is not shown.'
        : `${numberText(count, 'en')} more rows are not shown.`,
  verifiedBy: (name: string, day: string, values: readonly string[]) =>
    `Verified by ${name} on ${day}${values.length === 0 ? '' : `, and asked here with ${values.join(', ')}`}`,
  verifiedReading: (question: string, name: string, day: string) => `Answered as ${question}, which ${name} verified on ${day}`,
  definedMetrics: (names: readonly string[]) => `Uses the defined metric${names.length === 1 ? '' : 's'} ${names.join(', ')}`,
  verifiedExplanation: (name: string, values: readonly string[]) =>
    `A query that ${name} has verified for this question${values.length === 0 ? '' : `, with ${values.join('; ')}`}.`,
  daysOf: (zones: readonly string[]) => `Days are those of ${zones.join(' and ')}.`,
  dataUntil: (latest: string, ago: string | null) => `Data up to ${latest}${ago === null ? '' : `, ${ago}`}.`,
  moment: (moment: string, thisYear: number) => {
    const { year, month, day, clock } = partsOf(moment, thisYear)
    return `${day} ${ENGLISH_MONTHS[month]}${year}${clock === '' ? '' : ` at ${clock}`}`
  },
  dataReach: (begin: string | null, end: string | null, table: string | null) => {
    const data = table === null ? 'The data' : `The data in ${table}`
    if (begin === null) return `${data} ends on ${end}.`
    return end === null ? `${data} begins on ${begin}.` : `${data} runs from ${begin} to ${end}.`
  },
  ago: (count: number, unit: TimeUnit) =>
    count === 0 ? `less than a ${unit} ago` : `${numberText(count, 'en')} ${unit}${count === 1 ? '' : 's'} ago`,
  whichTable: 'Which table should I describe?',
  severalTables: 'Several tables are called that. Which one do you mean?',
  noSuchTable: (name: string, near: readonly string[]) =>
    `There is no table ${name}. ${near.length === 0 ? 'Ask "what tables are there?" for the list.' : `Did you mean ${near.join(' or ')}?`}`,
  notInSchema: (name: string) => `There is no table ${name}. \`clew schema\` lists the tables.`,
  whichSource: 'In which data source should I look?',
  runIt: 'Run it',
  askLess: 'Ask for less',
  stop: 'Stop',
  bytes: ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'],
  counts: ['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion'],
  reads: (bytes: string, rows: string, tables: readonly string[], more: number) =>
    `about ${bytes} (${rows} rows) of ${tables.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  readsAtMost: (rows: string, tables: readonly string[], more: number) =>
    `at most ${rows} rows of ${tables.join(', ')}${more > 0 ? ` and ${more} more` : ''} at a time (what exactly could not be worked out)`,
  wouldRead: (cost: string, allowed: readonly string[]) => `would read ${cost}; allowed are ${allowed.join(' and ')}`,
  wouldMake: (rows: string, allowed: string) =>
    `would make about ${rows} rows by joining tables without a condition; allowed are ${allowed} rows`,
  countedRows: (count: string) => `${count} rows`,
  /** Words for a line that tells where a figure comes from. Names and values are plain text. */
  sources: {
    row: (row: number) => `row ${row}`,
    rows: (count: number) => `${numberText(count, 'en')} rows`,
    eachRow: 'each row',
    all: (count: number) => `all ${numberText(count, 'en')}`,
    allRows: (count: number) => `all ${numberText(count, 'en')} rows`,
    rowsWith: (conditions: string) => `rows with ${conditions}`,
    cell: (column: string, rows: string) => `${column} of ${rows}`,
    aggregate: (name: string, column: string, rows: string) => `${ENGLISH_AGGREGATES[name] ?? ''}${column} of ${rows}`,
  },
}

const ENGLISH_AGGREGATES: Readonly<Record<string, string>> = {
  avg: 'average ',
  median: 'median ',
  min: 'lowest ',
  max: 'highest ',
  count: 'number of ',
  distinct: 'number of different ',
}

export type AnswerWords = typeof ENGLISH

const GERMAN = {
  rows: (count, isCut) => `${numberText(count, 'de')}${isCut ? '+' : ''} ${count === 1 && !isCut ? 'Zeile' : 'Zeilen'}`,
  partlyAnswered: 'Nur zum Teil beantwortet.',
  notAnswered: parts =>
    `Es fehlt: ${parts.map(({ question, cause, source }) => `„${question}“ (${source === undefined ? '' : `${source}: `}${cause})`).join('; ')}.`,
  joined: ({ id, left, right, on, met, leftKeys, rightKeys }) =>
    `${id} verbindet ${left} und ${right} über ${on}: ${met} Schlüssel ${met === '1' ? 'passt' : 'passen'} zusammen, von ${leftKeys} und ${rightKeys}.`,
  lostByJoin: (share, side) => `${share} der Zeilen von ${side} haben kein Gegenstück und fehlen darin.`,
  emptyByJoin: (share, side) => `${share} der Zeilen von ${side} haben kein Gegenstück, deshalb sind ihre anderen Spalten leer.`,
  spelling: 'Vielleicht schreiben die beiden Quellen diese Schlüssel verschieden.',
  sourceAway: 'diese Quelle ist gerade nicht erreichbar',
  notCombined: 'Die Ergebnisse der Quellen ließen sich nicht verbinden, deshalb stehen sie nebeneinander.',
  notLookedUp: questions =>
    `Nicht beantwortet, weil es auf einmal zu viel war: ${questions.map(question => `„${question}“`).join('; ')}. Am besten einzeln danach fragen.`,
  looksWrong: reason => `Dass nichts gefunden wurde, sieht falsch aus: ${reason}`,
  unverified: count =>
    count === 1
      ? 'Eine Aussage ist durch die Daten nicht belegt; sie ist gekennzeichnet.'
      : `${count} Aussagen sind durch die Daten nicht belegt; sie sind gekennzeichnet.`,
  cut: (rows, total, question) => {
    const first = `Nur die ersten ${numberText(rows, 'de')}${total === null ? '' : ` von ${numberText(total, 'de')}`} Zeilen`
    return `${first}${question === null ? '' : ` zu „${question}“`} wurden gelesen${total === null ? '; es gibt noch mehr' : ''}.`
  },
  partRead: sql => `Gelesen wurde nur ein Teil der Daten, nach denen gefragt war, weil alles zu viel wäre: \`${sql}\``,
  notJudged: 'Es wurde nichts gefunden; vielleicht heißt das Gesuchte in den Daten anders.',
  unread: 'Die Zahlen sind geprüft, aber die Worte um sie konnte niemand gegenlesen.',
  notThere: (value, column, near) =>
    `${value} kommt in ${column} nicht vor.${near.length === 0 ? '' : ` Ist vielleicht ${near.join(' oder ')} gemeint?`}`,
  notCompared: 'Kein Satz der Antwort sagt, aus welchen Daten er stammt.',
  notComparable: 'Kein Satz der Antwort ließ sich mit den Daten vergleichen.',
  assumed: 'Annahme:',
  replaced: (column, taken) =>
    `Eine Spalte ${column} gibt es nicht; ${taken.length === 0 ? 'die Abfrage kommt ohne sie aus' : `stattdessen wurde ${taken.join(' und ')} verwendet`}.`,
  multiplied: (table, by, column) =>
    `Zahlen aus ${table} sind vielleicht zu hoch: ${by} hat mehrere Zeilen mit demselben ${column}, und jede kann noch einmal zählen.`,
  notChecked: 'Einige Zahlen stammen vielleicht aus anderen Spalten als den gemeinten.',
  fromData: job =>
    `Das ist aus den Tabellen, nicht aus der Untersuchung von \`${job}\`. Mit \`lineage ${job} …\` geht es dort weiter.`,
  unverifiedMark: 'nicht belegt',
  withoutWords:
    'Die Abfragen sind gelaufen, aber das Sprachmodell konnte ihre Ergebnisse nicht in Worte fassen. Hier sind sie, wie sie kamen.',
  noRows: 'Keine Zeilen.',
  moreRows: count =>
    count === null
      ? 'Es gibt weitere Zeilen, die hier fehlen.'
      : count === 1
        ? 'Eine weitere Zeile ist nicht gezeigt.'
        : `${numberText(count, 'de')} weitere Zeilen sind nicht gezeigt.`,
  verifiedBy: (name, day, values) =>
    `Geprüft von ${name} am ${day}${values.length === 0 ? '' : `, hier gefragt mit ${values.join(', ')}`}`,
  verifiedReading: (question, name, day) => `Beantwortet als ${question}, geprüft von ${name} am ${day}`,
  definedMetrics: names => `Verwendet die definierte${names.length === 1 ? ' Kennzahl' : 'n Kennzahlen'} ${names.join(', ')}`,
  verifiedExplanation: (name, values) =>
    `Eine Abfrage, die ${name} für diese Frage geprüft hat${values.length === 0 ? '' : `, mit ${values.join('; ')}`}.`,
  daysOf: zones => `Tage gelten in der Zeitzone ${zones.join(' und ')}.`,
  dataUntil: (latest, ago) => `Daten bis ${latest}${ago === null ? '' : `, ${ago}`}.`,
  moment: (moment, thisYear) => {
    const { year, month, day, clock } = partsOf(moment, thisYear)
    return `${day}. ${GERMAN_MONTHS[month]}${year}${clock === '' ? '' : ` um ${clock} Uhr`}`
  },
  dataReach: (begin, end, table) => {
    const data = table === null ? 'Die Daten' : `Die Daten in ${table}`
    if (begin === null) return `${data} enden am ${end}.`
    return end === null ? `${data} beginnen am ${begin}.` : `${data} reichen vom ${begin} bis zum ${end}.`
  },
  ago: (count, unit) => {
    const [one, many] = GERMAN_UNITS[unit]
    return count === 0
      ? `vor weniger als einer ${one}`
      : `vor ${count === 1 && unit === 'day' ? 'einem' : count === 1 ? 'einer' : numberText(count, 'de')} ${count === 1 ? one : many}`
  },
  whichTable: 'Welche Tabelle soll ich beschreiben?',
  severalTables: 'So heißen mehrere Tabellen. Welche ist gemeint?',
  noSuchTable: (name, near) =>
    `Eine Tabelle ${name} gibt es nicht. ${near.length === 0 ? '„Welche Tabellen gibt es?“ zeigt die Liste.' : `Ist vielleicht ${near.join(' oder ')} gemeint?`}`,
  notInSchema: name => `Eine Tabelle ${name} gibt es nicht. \`clew schema\` zeigt die Liste.`,
  whichSource: 'In welcher Datenquelle soll ich nachsehen?',
  runIt: 'Ausführen',
  askLess: 'Weniger abfragen',
  stop: 'Abbrechen',
  bytes: ['Bytes', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'],
  counts: ['', 'Tausend', 'Mio.', 'Mrd.', 'Bio.', 'Brd.', 'Trio.'],
  reads: (bytes, rows, tables, more) =>
    `etwa ${bytes} (${rows} Zeilen) aus ${tables.join(', ')}${more > 0 ? ` und ${more} weiteren` : ''}`,
  readsAtMost: (rows, tables, more) =>
    `höchstens ${rows} Zeilen aus ${tables.join(', ')}${more > 0 ? ` und ${more} weiteren` : ''} auf einmal (genau ließ es sich nicht ermitteln)`,
  wouldRead: (cost, allowed) => `würde ${cost} lesen; erlaubt sind ${allowed.join(' und ')}`,
  wouldMake: (rows, allowed) =>
    `würde etwa ${rows} Zeilen erzeugen, weil Tabellen ohne Bedingung verbunden werden; erlaubt sind ${allowed} Zeilen`,
  countedRows: count => `${count} Zeilen`,
  sources: {
    row: row => `Zeile ${row}`,
    rows: count => `${numberText(count, 'de')} Zeilen`,
    eachRow: 'jeder Zeile',
    all: count => `alle ${numberText(count, 'de')}`,
    allRows: count => `alle ${numberText(count, 'de')} Zeilen`,
    rowsWith: conditions => `Zeilen mit ${conditions}`,
    cell: (column, rows) => `${column} von ${rows}`,
    aggregate: (name, column, rows) => `${GERMAN_AGGREGATES[name] ?? 'Summe'} von ${column} über ${rows}`,
  },
} satisfies AnswerWords

const GERMAN_AGGREGATES: Readonly<Record<string, string>> = {
  avg: 'Mittelwert',
  median: 'Median',
  min: 'Minimum',
  max: 'Maximum',
  count: 'Anzahl',
  distinct: 'Anzahl verschiedener Werte',
}

/** Returns the sentences that the program adds to an answer. */
export const answerWords = inLanguages<AnswerWords>({ en: ENGLISH, de: GERMAN })
