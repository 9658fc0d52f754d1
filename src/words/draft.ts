import { inLanguages, numberText } from './language.ts'

/** Sentences about the draft of a pipeline. Names and SQL are already in backticks. */
const ENGLISH = {
  headline: (name: string, description: string) =>
    `**Draft of the pipeline ${name}**${description === '' ? '' : `: ${description}`}`,
  input: (name: string, reads: string) => `${name}: input, read from ${reads}.`,
  operation: (name: string, reads: string) => `${name}: made from ${reads}.`,
  target: (table: string) => `The result is the table ${table}, which each run replaces.`,
  arguments: (values: string) => `Arguments: ${values}.`,
  nothing: 'nothing',
  runs: (when: string, zone: string) => `It runs ${when} (${zone}).`,
  runsOnDemand: 'It runs when somebody starts it; it has no schedule.',
  everyMinutes: (minutes: number) => (minutes === 1 ? 'every minute' : `every ${minutes} minutes`),
  hourly: (minute: string) => `every hour at minute ${minute}`,
  bySchedule: (schedule: string) => `by the schedule ${schedule}`,
  reads: (cost: string) => `A run reads ${cost}.`,
  makes: (rows: number) => `With the data of now it makes ${rowsText(rows)}.`,
  tried: (most: number, rows: number) =>
    `Tried on the first ${numberText(most, 'en')} rows of each input, ${rows === 0 ? 'it made no rows; rows that belong together need not be among the first.' : 'it makes rows like these:'}`,
  notTried: {
    denied:
      'It was checked by its plan and types alone, not tried on rows: the user that Clew has here may not write tables. CLEW_WRITER_URL names one that may.',
    no_database:
      'It was checked by its plan and types alone, not tried on rows: the database of pipelines is missing. `clew migrate` makes it.',
    other: 'It was checked by its plan and types alone, not tried on rows: the database of pipelines could not be used just now.',
  },
  mayNotRead: 'The user who runs jobs may not read all of its inputs: whoever runs Clew must grant `SELECT` on them.',
  overBudget: (excess: string) => `A run ${excess} for a question.`,
  isKnown: (name: string) => `There is a pipeline ${name} already: registering the file makes a new version of it.`,
  onlyDefault: (source: string) => `Pipelines read and write the data source ${source} alone.`,
  notSetUp: 'Nothing is set up yet. Shall I hand over the file? Or say in your own words what should be different.',
  handOver: 'Hand over the file',
  handedOver: (name: string, file: string) =>
    `This is the definition of ${name}. Nothing is set up yet: save it as ${file}, and whoever runs Clew registers it with`,
  failed: (attempts: number) =>
    `I could not draft a pipeline that works${attempts === 1 ? '' : `, in ${attempts} attempts`}. What was tried:`,
  draftKept: 'The draft before stays as it was.',
  sayOtherwise: 'Say in other words what the pipeline should do, or leave a part of it out.',
  needsClickHouse: 'Pipelines need a data source of ClickHouse, and there is none here.',
  noAccess: 'You may not read the data source that pipelines work on, so I cannot draft one for you.',
}

const GERMAN = {
  headline: (name, description) => `**Entwurf der Pipeline ${name}**${description === '' ? '' : `: ${description}`}`,
  input: (name, reads) => `${name}: Eingabe, gelesen aus ${reads}.`,
  operation: (name, reads) => `${name}: gemacht aus ${reads}.`,
  target: table => `Das Ergebnis ist die Tabelle ${table}, die jeder Lauf ersetzt.`,
  arguments: values => `Argumente: ${values}.`,
  nothing: 'nichts',
  runs: (when, zone) => `Sie läuft ${when} (${zone}).`,
  runsOnDemand: 'Sie läuft, wenn jemand sie startet; einen Zeitplan hat sie nicht.',
  everyMinutes: minutes => (minutes === 1 ? 'jede Minute' : `alle ${minutes} Minuten`),
  hourly: minute => `jede Stunde in Minute ${minute}`,
  bySchedule: schedule => `nach dem Zeitplan ${schedule}`,
  reads: cost => `Ein Lauf liest ${cost}.`,
  makes: rows => `Mit den Daten von jetzt macht sie ${zeilen(rows)}.`,
  tried: (most, rows) =>
    `Ausprobiert mit den ersten ${numberText(most, 'de')} Zeilen jeder Eingabe, macht sie ${rows === 0 ? 'keine Zeilen; Zeilen, die zusammengehören, müssen nicht unter den ersten sein.' : 'Zeilen wie diese:'}`,
  notTried: {
    denied:
      'Geprüft sind nur Plan und Typen, nicht ein Lauf mit Zeilen: Der Benutzer, den Clew hier hat, darf keine Tabellen schreiben. CLEW_WRITER_URL nennt einen, der es darf.',
    no_database:
      'Geprüft sind nur Plan und Typen, nicht ein Lauf mit Zeilen: Die Datenbank der Pipelines fehlt. `clew migrate` legt sie an.',
    other:
      'Geprüft sind nur Plan und Typen, nicht ein Lauf mit Zeilen: Die Datenbank der Pipelines war gerade nicht zu benutzen.',
  },
  mayNotRead:
    'Der Benutzer, der Jobs ausführt, darf nicht alle Eingaben lesen: Wer Clew betreibt, muss ihm `SELECT` darauf geben.',
  overBudget: excess => `Ein Lauf ${excess} für eine Frage.`,
  isKnown: name => `Eine Pipeline ${name} gibt es schon: Mit dieser Datei bekommt sie eine neue Version.`,
  onlyDefault: source => `Pipelines lesen und schreiben nur die Datenquelle ${source}.`,
  notSetUp: 'Eingerichtet ist noch nichts. Soll ich die Datei übergeben? Oder was soll anders sein, in eigenen Worten?',
  handOver: 'Datei übergeben',
  handedOver: (name, file) =>
    `Das ist die Definition von ${name}. Eingerichtet ist noch nichts: Als ${file} gespeichert, registriert sie, wer Clew betreibt, mit`,
  failed: attempts =>
    `Ein Entwurf, der funktioniert, ist nicht gelungen${attempts === 1 ? '' : `, in ${attempts} Versuchen`}. Versucht wurde:`,
  draftKept: 'Der Entwurf davor bleibt, wie er war.',
  sayOtherwise: 'Vielleicht hilft es, die Pipeline anders zu beschreiben oder einen Teil wegzulassen.',
  needsClickHouse: 'Pipelines brauchen eine Datenquelle von ClickHouse, und hier gibt es keine.',
  noAccess: 'Für die Datenquelle, mit der Pipelines arbeiten, fehlt das Leserecht; darum gibt es keinen Entwurf.',
} satisfies typeof ENGLISH

function rowsText(rows: number): string {
  return `${numberText(rows, 'en')} ${rows === 1 ? 'row' : 'rows'}`
}

function zeilen(rows: number): string {
  return `${numberText(rows, 'de')} ${rows === 1 ? 'Zeile' : 'Zeilen'}`
}

export const draftWords = inLanguages<typeof ENGLISH>({ en: ENGLISH, de: GERMAN })
