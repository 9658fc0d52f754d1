import { inLanguages, type Language } from './language.ts'

/** Sentences about tables. Names and values are already formatted. A model reads the English sentences too. */
const ENGLISH = {
  noTables: 'There are no tables that I may read.',
  moreTables: (count: number) => `… and ${count} more tables. Ask for one by its name.`,
  tablesIn: (tables: number, databases: number, named: string, further: number) =>
    `There are ${tables} tables in ${databases} databases: ${named}${further > 0 ? ` and ${further} more` : ''}.`,
  nearest: 'Nearest to what you asked',
  askNearer: 'Ask for tables about something ("which tables are about invoices?"), or for one by its name.',
  view: 'view',
  rows: (count: string) => `${count} ${count === '1' ? 'row' : 'rows'}`,
  note: (note: string) => `Note: ${note}.`,
  header: ['Column', 'Type', 'Meaning', 'Values'] as readonly string[],
  moreColumns: (count: number) => `… and ${count} more columns.`,
  definedAs: (sql: string) => `Defined as ${sql}`,
  sortedBy: (key: string) => `sorted by ${key}`,
  partitionedBy: (key: string) => `partitioned by ${key}`,
  private: 'private',
  seen: 'seen: ',
  different: (count: string) => `${count} different`,
  empty: (share: string) => `${share} empty`,
  about: (count: string) => `about ${count}`,
  units: { million: 'million', billion: 'billion' },
  always: 'always',
  alwaysThe: (value: string) => `always ${value}`,
  under: (share: string) => `under ${share}`,
  over: (share: string) => `over ${share}`,
  range: (from: string, to: string) => `${from} to ${to}`,
  engines: {
    aggregateStates: 'holds aggregate states: group by the key, with -Merge functions for AggregateFunction columns',
    graphite: 'rows may not be rolled up yet: aggregate again',
    stream: 'a stream: reading consumes it; do not query',
    keepsNothing: 'keeps nothing: always empty',
    showsOthers: (table: string | undefined) => `shows the rows of ${table ?? 'other tables'}: do not add both up`,
    otherDatabase: 'lies in another database: filter early, expect it to be slow',
    files: 'lies in files: read whole for each query, filter early',
    versions: (key: string | undefined, deleted: string | undefined, version: string | undefined) =>
      `may hold several versions of a row${key === undefined ? '' : ` for one (${key})`}: read with FINAL${
        deleted === undefined ? '' : `, which leaves out those marked by ${deleted}`
      }, or take the latest with argMax${version === undefined ? '' : `(column, ${version})`}`,
    signs: (sign: string | undefined) =>
      sign === undefined
        ? 'rows cancel each other by a sign column: read with FINAL, or multiply by the sign'
        : `rows cancel each other by ${sign}: read with FINAL, or use sum(${sign}) as the count and sum(x * ${sign})`,
    sums: (columns: string | undefined) =>
      `rows may not be summed up yet: group by the key and take the sums${columns === undefined ? '' : ` of ${columns}`}`,
    rowsOf: (table: string) => `its rows are those of ${table}: read that`,
    dictionary: (source: string | undefined, key: string | undefined) =>
      `a dictionary${source === undefined ? '' : ` of ${source}`}${key === undefined ? '' : ` by (${key})`}: join it like a table, dictGet may not be used`,
  },
}

export type CatalogWords = typeof ENGLISH

const GERMAN = {
  noTables: 'Es gibt keine Tabellen, die ich lesen darf.',
  moreTables: count => `… und ${count} weitere Tabellen. Jede lässt sich mit ihrem Namen erfragen.`,
  tablesIn: (tables, databases, named, further) =>
    `Es gibt ${tables} Tabellen in ${databases} Datenbanken: ${named}${further > 0 ? ` und ${further} weiteren` : ''}.`,
  nearest: 'Am nächsten an der Frage',
  askNearer: 'Tabellen lassen sich nach ihrem Thema erfragen („Welche Tabellen handeln von Rechnungen?“) oder mit ihrem Namen.',
  view: 'View',
  rows: count => `${count} ${count === '1' ? 'Zeile' : 'Zeilen'}`,
  note: note => `Hinweis: ${note}.`,
  header: ['Spalte', 'Typ', 'Bedeutung', 'Werte'],
  moreColumns: count => `… und ${count} weitere Spalten.`,
  definedAs: sql => `Definiert als ${sql}`,
  sortedBy: key => `sortiert nach ${key}`,
  partitionedBy: key => `partitioniert nach ${key}`,
  private: 'privat',
  seen: 'gesehen: ',
  different: count => `${count} verschiedene`,
  empty: share => `${share} leer`,
  about: count => `etwa ${count}`,
  units: { million: 'Mio.', billion: 'Mrd.' },
  always: 'immer',
  alwaysThe: value => `immer ${value}`,
  under: share => `unter ${share}`,
  over: share => `über ${share}`,
  range: (from, to) => `${from} bis ${to}`,
  engines: {
    aggregateStates:
      'enthält Zwischenstände: nach dem Schlüssel gruppieren, mit -Merge-Funktionen für Spalten vom Typ AggregateFunction',
    graphite: 'Zeilen sind vielleicht noch nicht zusammengefasst: noch einmal aggregieren',
    stream: 'ein Strom: Lesen verbraucht ihn; nicht abfragen',
    keepsNothing: 'behält nichts: immer leer',
    showsOthers: table => `zeigt die Zeilen von ${table ?? 'anderen Tabellen'}: nicht beides zusammenzählen`,
    otherDatabase: 'liegt in einer anderen Datenbank: früh filtern, es dauert eher lang',
    files: 'liegt in Dateien: wird für jede Abfrage ganz gelesen, früh filtern',
    versions: (key, deleted, version) =>
      `enthält vielleicht mehrere Fassungen einer Zeile${key === undefined ? '' : ` je (${key})`}: mit FINAL lesen${
        deleted === undefined ? '' : `, das die mit ${deleted} markierten weglässt`
      }, oder die letzte mit argMax${version === undefined ? '' : `(Spalte, ${version})`} nehmen`,
    signs: sign =>
      sign === undefined
        ? 'Zeilen heben einander durch eine Vorzeichenspalte auf: mit FINAL lesen oder mit dem Vorzeichen malnehmen'
        : `Zeilen heben einander durch ${sign} auf: mit FINAL lesen oder mit sum(${sign}) zählen und sum(x * ${sign}) rechnen`,
    sums: columns =>
      `Zeilen sind vielleicht noch nicht summiert: nach dem Schlüssel gruppieren und Summen bilden${columns === undefined ? '' : `, von ${columns}`}`,
    rowsOf: table => `ihre Zeilen sind die von ${table}: am besten dort lesen`,
    dictionary: (source, key) =>
      `ein Dictionary${source === undefined ? '' : ` aus ${source}`}${key === undefined ? '' : ` nach (${key})`}: wie eine Tabelle verbinden, dictGet geht nicht`,
  },
} satisfies CatalogWords

export const catalogWords = inLanguages<CatalogWords, Language | undefined>({ en: ENGLISH, de: GERMAN })
