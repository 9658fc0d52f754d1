import { inLanguages } from './language.ts'

interface Advice {
  /** The reason without a full stop, because a sentence continues around it. A person who knows no SQL understands it. */
  readonly cause: string
  readonly next: string
}

const ENGLISH = {
  intro: (cause: string) => `I could not answer this: ${cause}.`,
  didYouMean: (names: readonly string[]) => `**Did you mean** ${names.join(' or ')}?`,
  next: (advice: string) => `**What you can do:** ${advice}`,
  tried: '**What was tried**',
  times: (count: number) => `${count} times`,
  triedSql: (sql: string) => `Tried: ${sql}`,
  describe: (table: string) => `Ask for example "describe ${table}" to see what there is, and name the column you mean.`,
  rightTable: (table: string) => `Ask again with the right name, or first for example "describe ${table}".`,
  rightColumn: (column: string, table: string) =>
    `Ask again with the right name, or first for example "which values of ${column} are there in ${table}?"`,
  missingColumn: (names: readonly string[]) => `no table that was looked at has a column for it: ${names.join(', ')}`,
  repeatedRows: (left: string, right: string) =>
    `one key has up to ${left} rows on one side and up to ${right} on the other, so that some would count several times`,
  severalFailed: (count: number) => `none of the ${count} queries that it needs ran`,
  noneRan: (count: number, cause: string) =>
    `${count === 1 ? 'The query that this needs did not run' : `None of the ${count} queries that this needs ran`}: ${cause}.`,
  fewerColumns: (table: string) =>
    `Ask for fewer columns of ${table}, or for certain rows only: all of it is too much for one question.`,
  shorter: (column: string | null) =>
    `Ask for a shorter period, such as one day${column === null ? '' : `, or for one or a few values of ${column}`}: all of it is too much for one question.`,
  fitting: (days: string | null, table: string, column: string) =>
    `Ask for ${days === null ? 'a shorter period, such as one day' : `a shorter period: about ${days === '1' ? 'one day' : `${days} days`} would fit`}. ${table} is kept in the order of ${column}, so only that period is read.`,
  kinds: {
    timeout: {
      cause: 'the query took longer than it may',
      next: 'Ask for a shorter period or fewer groups, so that less has to be read.',
    },
    resource: {
      cause: 'the query would take more than the warehouse allows',
      next: 'Ask for a shorter period or a coarser grouping, so that it fits the limits of the warehouse.',
    },
    authentication: {
      cause: 'the warehouse did not let me in',
      next: 'The warehouse did not accept the credentials: whoever runs Clew should run `clew doctor`.',
    },
    denied: { cause: 'the warehouse refused access', next: 'Whoever runs Clew should look at its log.' },
    broken: { cause: 'the warehouse is damaged in part', next: 'Whoever runs Clew should look at its log.' },
    unavailable: {
      cause: 'the warehouse is away, busy or over its quota just now',
      next: 'Ask again in a few minutes.',
    },
    combine: {
      cause: 'the results of the sources could not be combined',
      next: 'Ask for fewer rows or a coarser grouping, or for each part separately.',
    },
    repeated_rows: {
      cause: 'rows of the sources would count several times',
      next: 'Ask for one figure of each thing, or for each part separately.',
    },
    too_large_to_combine: {
      cause: 'the sources have more rows for it than can be combined',
      next: 'Ask for fewer rows or a coarser grouping, or for each part separately.',
    },
    cost: {
      cause: 'the query would read more than it may',
      next: 'Ask for a shorter period or fewer columns, so that less has to be read.',
    },
    stopped: {
      cause: 'the query would read more than it may, and you had it stopped',
      next: 'Ask for less: a shorter period, fewer groups, or certain rows only.',
    },
    unknown_name: {
      cause: 'the data has nothing of the name that it asks for',
      next: 'Ask "what tables are there?" to see what can be asked about, and name the table or column you mean.',
    },
    guard: {
      cause: 'it needs data that I do not have here, or a query that I may not run',
      next: 'Ask "what tables are there?" to see what can be asked about; if something is missing there, whoever runs Clew may know why.',
    },
    model: {
      cause: 'the language model wrote no query that could be used',
      next: 'Say it in other words, or ask for one thing at a time.',
    },
    model_away: { cause: 'the language model could not be reached', next: 'Ask again in a minute.' },
    other: {
      cause: 'no query that was written for it works',
      next: 'Say it in other words, or name the table and the columns you mean.',
    },
  } satisfies Readonly<Record<string, Advice>>,
}

export type FailureWords = typeof ENGLISH
type FailureKind = keyof FailureWords['kinds']

const GERMAN = {
  intro: cause => `Das konnte ich nicht beantworten: ${cause}.`,
  didYouMean: names => `**Gemeint vielleicht:** ${names.join(' oder ')}?`,
  next: advice => `**Was hilft:** ${advice}`,
  tried: '**Was versucht wurde**',
  times: count => `${count}-mal`,
  triedSql: sql => `Versucht: ${sql}`,
  describe: table =>
    `Mit „beschreibe ${table}“ zeige ich, was es dort gibt; dann am besten die gemeinte Spalte beim Namen nennen.`,
  rightTable: table => `Noch einmal mit dem richtigen Namen fragen, oder zuerst „beschreibe ${table}“.`,
  rightColumn: (column, table) =>
    `Noch einmal mit dem richtigen Namen fragen, oder zuerst „welche Werte von ${column} gibt es in ${table}?“`,
  missingColumn: names => `keine der Tabellen, in denen ich gesucht habe, hat eine Spalte dafür: ${names.join(', ')}`,
  repeatedRows: (left, right) =>
    `ein Schlüssel hat bis zu ${left} Zeilen auf der einen Seite und bis zu ${right} auf der anderen, sodass manche mehrfach zählen würden`,
  severalFailed: count => `keine der ${count} Abfragen, die es dafür braucht, ist gelaufen`,
  noneRan: (count, cause) =>
    `${count === 1 ? 'Die Abfrage, die das braucht, ist nicht gelaufen' : `Keine der ${count} Abfragen, die das braucht, ist gelaufen`}: ${cause}.`,
  fewerColumns: table =>
    `Nach weniger Spalten von ${table} fragen oder nur nach bestimmten Zeilen: Alles zusammen ist zu viel für eine Frage.`,
  shorter: column =>
    `Nach einem kürzeren Zeitraum fragen, etwa einem Tag${column === null ? '' : `, oder nach einem oder wenigen Werten von ${column}`}: Alles zusammen ist zu viel für eine Frage.`,
  fitting: (days, table, column) =>
    `Nach einem kürzeren Zeitraum fragen${days === null ? ', etwa einem Tag' : `: etwa ${days === '1' ? 'ein Tag' : `${days} Tage`} würden passen`}. ${table} ist nach ${column} geordnet, also wird nur dieser Zeitraum gelesen.`,
  kinds: {
    timeout: {
      cause: 'die Abfrage hat länger gedauert, als sie darf',
      next: 'Nach einem kürzeren Zeitraum oder weniger Gruppen fragen, damit weniger zu lesen ist.',
    },
    resource: {
      cause: 'die Abfrage bräuchte mehr, als die Datenbank zulässt',
      next: 'Nach einem kürzeren Zeitraum oder in gröberen Gruppen fragen, damit es in die Grenzen der Datenbank passt.',
    },
    authentication: {
      cause: 'die Datenbank hat mich nicht hineingelassen',
      next: 'Die Datenbank hat die Zugangsdaten abgelehnt: Wer Clew betreibt, sollte `clew doctor` aufrufen.',
    },
    denied: { cause: 'die Datenbank hat den Zugriff verweigert', next: 'Wer Clew betreibt, sollte in sein Protokoll sehen.' },
    broken: { cause: 'die Datenbank ist zum Teil beschädigt', next: 'Wer Clew betreibt, sollte in sein Protokoll sehen.' },
    unavailable: {
      cause: 'die Datenbank ist gerade nicht erreichbar oder überlastet',
      next: 'In ein paar Minuten noch einmal fragen.',
    },
    combine: {
      cause: 'die Ergebnisse der Quellen ließen sich nicht verbinden',
      next: 'Nach weniger Zeilen, einer gröberen Gruppierung oder nach jedem Teil einzeln fragen.',
    },
    repeated_rows: {
      cause: 'Zeilen der Quellen würden mehrfach zählen',
      next: 'Nach einer Zahl für jedes Ding oder nach jedem Teil einzeln fragen.',
    },
    too_large_to_combine: {
      cause: 'die Quellen haben dafür mehr Zeilen, als sich verbinden lassen',
      next: 'Nach weniger Zeilen, einer gröberen Gruppierung oder nach jedem Teil einzeln fragen.',
    },
    cost: {
      cause: 'die Abfrage würde mehr lesen, als sie darf',
      next: 'Nach einem kürzeren Zeitraum oder weniger Spalten fragen, damit weniger zu lesen ist.',
    },
    stopped: {
      cause: 'die Abfrage würde mehr lesen, als sie darf, und wurde auf Wunsch nicht ausgeführt',
      next: 'Nach weniger fragen: einem kürzeren Zeitraum, weniger Gruppen oder nur bestimmten Zeilen.',
    },
    unknown_name: {
      cause: 'einen der gesuchten Namen gibt es in den Daten nicht',
      next: '„Welche Tabellen gibt es?“ zeigt, wonach sich fragen lässt; dann die gemeinte Tabelle oder Spalte beim Namen nennen.',
    },
    guard: {
      cause: 'dafür braucht es Daten, die ich hier nicht habe, oder eine Abfrage, die ich nicht ausführen darf',
      next: '„Welche Tabellen gibt es?“ zeigt, wonach sich fragen lässt; fehlt dort etwas, weiß vielleicht der Betreiber von Clew, warum.',
    },
    model: {
      cause: 'das Sprachmodell hat keine brauchbare Abfrage geschrieben',
      next: 'Es anders sagen oder nach einer Sache auf einmal fragen.',
    },
    model_away: { cause: 'das Sprachmodell war nicht erreichbar', next: 'In einer Minute noch einmal fragen.' },
    other: {
      cause: 'keine der dafür geschriebenen Abfragen funktioniert',
      next: 'Es anders sagen oder die gemeinte Tabelle und die Spalten beim Namen nennen.',
    },
  },
} satisfies FailureWords

export const failureWords = inLanguages<FailureWords>({ en: ENGLISH, de: GERMAN })

/** Returns the reason and the advice for a kind of failure. */
export function failureAdvice(kind: string | undefined, { kinds }: FailureWords): Advice {
  return isFailureKind(kind, kinds) ? kinds[kind] : kinds.other
}

function isFailureKind(kind: string | undefined, kinds: FailureWords['kinds']): kind is FailureKind {
  return kind !== undefined && Object.hasOwn(kinds, kind)
}
