import { thereAre } from '../base/text/there-are.ts'
import { inLanguages, type Language, numberText } from './language.ts'

/**
 * Sentences about a pipeline's run, and the words in its graph. Names are inserted unchanged. Statuses are spelt as in the log.
 */
const ENGLISH = {
  lastRun: (job: string, id: string, status: string) => `**${job}**, last run \`${id}\`: ${status}`,
  startedAt: (time: string) => `, started ${time} UTC`,
  took: (seconds: number) => `, took ${seconds.toFixed(1)} s`,
  loggedByOthers: 'Another runner has logged this run: Clew knows its log only, and cannot run it again.',
  failed: (label: string, error: string) => `**${label}** failed: ${error}`,
  failedUnseen: (label: string) => `**${label}** failed. The reason is hidden, since it may quote a source that you may not see.`,
  unseen: (labels: readonly string[]) =>
    `Made from a source that you may not see: ${labels.map(label => `**${label}**`).join(', ')}.`,
  endedWith: (error: string) => `It ended with: ${error}`,
  worthAsking: 'Worth asking:',
  whyFailed: (label: string) => `Why did ${label} fail?`,
  whichMissing: (before: string, after: string) => `Which rows of ${before} are not in ${after}, and why?`,
  whyMore: (after: string, before: string) => `Why has ${after} more rows than ${before}?`,
  whichEmpty: (target: string) => `Which columns of ${target} are NULL or empty, and where does that come from?`,
  duplicates: (target: string) => `Are there duplicates in ${target}?`,
  columnsOf: (label: string) => `Columns of **${label}** come from:`,
  drift: (label: string, original: number, replayed: number) =>
    `${label} had ${original} ${original === 1 ? 'row' : 'rows'} in the run and ${replayed} in the replay`,
  drifted: (inputs: readonly string[]) => `The inputs have changed since: ${inputs.join('; ')}.`,
  noPipelines: 'I know of no pipelines here. Whoever runs Clew sets them up with `clew migrate` and `clew jobs register`.',
  replay: 'Replay',
  answerWithout: 'Answer without',
  mayReplay: (job: string, reason: string) =>
    `To be sure I would have to run ${job} again with all tables kept. The reason: ${reason}`,
  replayCost: (seconds: number | undefined, rows: number, size: string) =>
    `The last run${seconds === undefined ? '' : ` took ${seconds} s and`} wrote ${numberText(rows, 'en')} ${rows === 1 ? 'row' : 'rows'} (${size}); production tables are not touched.`,
  notRepeatable: (id: string) =>
    `The run ${id} cannot be run again: another runner has logged it, and Clew has no definition of it.`,
  notRepeatableForYou: (job: string) => `I do not run ${job} again for you: it may read a source that you may not see.`,
  withoutDeep: 'Ask without --deep.',
  notRunYet: (job: string) => `The job ${job} has not run yet: \`clew jobs run ${job}\` runs it.`,
  noRun: (job: string, near: readonly string[]) =>
    `There is no run of a job ${job}${near.length === 0 ? '' : `. Did you mean ${near.join(' or ')}?`}`,
  noJobs: ': no job is registered.',
  jobs: (names: readonly string[], isCut: boolean) => `: ${thereAre(names)}${isCut ? ' and others' : ''}.`,
  mayNotSee: (called: string) => `You may not see all tables of ${called}. Whoever runs Clew can give you a role that may.`,
  graphTitle: (job: string) => `Lineage of ${job}`,
  partOfTables: (shown: number, all: number) => ` (${shown} of ${all} tables)`,
  tables: (count: number) => `${count} ${count === 1 ? 'table' : 'tables'}`,
  rows: (count: string, isOne: boolean) => `${count} ${isOne ? 'row' : 'rows'}`,
  kinds: { outside: 'outside', input: 'input', intermediate: 'intermediate', target: 'target' },
  states: { live: 'live', replayed: 'replayed', replaced: 'replaced', gone: 'gone' },
  kindMeans: { outside: 'filled by others', input: 'input', intermediate: 'made on the way', target: 'target' },
  stateMeans: {
    live: 'still there',
    replayed: 'made again by the replay',
    replaced: 'holds a later run’s rows',
    gone: 'dropped after the run',
  },
  rowsWentOn: 'rows that went on',
  leadsBack: 'leads back',
  readsItself: 'reads itself',
  noName: '(no name)',
  hasSuspicion: 'suspected',
  hasFailed: 'failed',
  madeFrom: (tables: readonly string[]) => `, from ${tables.join(' and ')}`,
  suspectedIn: (label: string) => ` The fault is suspected in ${label}.`,
  pictureNotShown: '(The picture cannot be shown here.)',
  nothingLogged: 'Nothing was logged of this run, so there is no graph to draw.',
  pictureIn: (file: string) => `The graph is in ${file}.`,
  whichRows: 'which rows',
  noColumn: 'no column',
  moreLines: (count: number) => `… and ${count} more`,
  columnUses: {
    IDENTITY: '',
    TRANSFORMATION: 'computed',
    AGGREGATION: 'aggregated',
    JOIN: 'join',
    FILTER: 'filter',
    GROUP_BY: 'group by',
    SORT: 'order',
    WINDOW: 'window',
    CONDITIONAL: 'condition',
  },
}

export type LineageWords = typeof ENGLISH

const GERMAN = {
  lastRun: (job, id, status) => `**${job}**, letzter Lauf \`${id}\`: ${status}`,
  startedAt: time => `, begonnen ${time} UTC`,
  took: seconds => `, Dauer ${numberText(Number(seconds.toFixed(1)), 'de')} s`,
  loggedByOthers:
    'Diesen Lauf hat ein anderes System protokolliert: Clew kennt nur das Protokoll und kann ihn nicht wiederholen.',
  failed: (label, error) => `**${label}** ist fehlgeschlagen: ${error}`,
  failedUnseen: label =>
    `**${label}** ist fehlgeschlagen. Der Grund bleibt verborgen, weil er eine Quelle ohne Leserecht zitieren kann.`,
  unseen: labels => `Aus einer Quelle ohne Leserecht gemacht: ${labels.map(label => `**${label}**`).join(', ')}.`,
  endedWith: error => `Er endete mit: ${error}`,
  worthAsking: 'Was sich zu fragen lohnt:',
  whyFailed: label => `Warum ist ${label} fehlgeschlagen?`,
  whichMissing: (before, after) => `Welche Zeilen aus ${before} fehlen in ${after}, und warum?`,
  whyMore: (after, before) => `Warum hat ${after} mehr Zeilen als ${before}?`,
  whichEmpty: target => `Welche Spalten von ${target} sind NULL oder leer, und woher kommt das?`,
  duplicates: target => `Gibt es in ${target} doppelte Zeilen?`,
  columnsOf: label => `Woher die Spalten von **${label}** kommen:`,
  drift: (label, original, replayed) =>
    `${label} hatte im Lauf ${numberText(original, 'de')} ${original === 1 ? 'Zeile' : 'Zeilen'} und in der Wiederholung ${numberText(replayed, 'de')}`,
  drifted: inputs => `Die Eingaben haben sich seitdem geändert: ${inputs.join('; ')}.`,
  noPipelines: 'Pipelines kenne ich hier keine. Wer Clew betreibt, richtet sie mit `clew migrate` und `clew jobs register` ein.',
  replay: 'Wiederholen',
  answerWithout: 'Ohne beantworten',
  mayReplay: (job, reason) =>
    `Um sicher zu sein, müsste ich ${job} noch einmal laufen lassen und dabei alle Tabellen behalten. Der Grund: ${reason}`,
  replayCost: (seconds, rows, size) =>
    `Der letzte Lauf ${seconds === undefined ? '' : `dauerte ${seconds} s und `}schrieb ${numberText(rows, 'de')} ${rows === 1 ? 'Zeile' : 'Zeilen'} (${size}); die produktiven Tabellen bleiben unberührt.`,
  notRepeatable: id =>
    `Der Lauf ${id} lässt sich nicht wiederholen: Ihn hat ein anderes System protokolliert, und Clew kennt seine Definition nicht.`,
  notRepeatableForYou: job => `Den Job ${job} wiederhole ich hier nicht: Er liest vielleicht eine Quelle ohne Leserecht.`,
  withoutDeep: 'Ohne --deep lässt sich danach fragen.',
  notRunYet: job => `Der Job ${job} ist noch nicht gelaufen: \`clew jobs run ${job}\` startet ihn.`,
  noRun: (job, near) =>
    `Einen Lauf eines Jobs ${job} gibt es nicht${near.length === 0 ? '' : `. Gemeint vielleicht: ${near.join(' oder ')}?`}`,
  noJobs: ': Es ist kein Job registriert.',
  jobs: (names, isCut) => `: Es gibt ${names.length === 1 ? 'nur ' : ''}${names.join(', ')}${isCut ? ' und andere' : ''}.`,
  mayNotSee: called =>
    `Für einige Tabellen von ${called} fehlt das Leserecht. Wer Clew betreibt, kann eine Rolle vergeben, die es hat.`,
  graphTitle: job => `Herkunft von ${job}`,
  partOfTables: (shown, all) => ` (${shown} von ${all} Tabellen)`,
  tables: count => `${count} ${count === 1 ? 'Tabelle' : 'Tabellen'}`,
  rows: (count, isOne) => `${count} ${isOne ? 'Zeile' : 'Zeilen'}`,
  kinds: { outside: 'von außen', input: 'Eingabe', intermediate: 'Zwischenschritt', target: 'Ziel' },
  states: { live: 'noch da', replayed: 'wiederholt', replaced: 'ersetzt', gone: 'gelöscht' },
  kindMeans: { outside: 'von anderen gefüllt', input: 'Eingabe', intermediate: 'Zwischenschritt', target: 'Ziel' },
  stateMeans: {
    live: 'noch da',
    replayed: 'von der Wiederholung neu gemacht',
    replaced: 'enthält Zeilen eines späteren Laufs',
    gone: 'nach dem Lauf gelöscht',
  },
  rowsWentOn: 'weitergegebene Zeilen',
  leadsBack: 'führt zurück',
  readsItself: 'liest sich selbst',
  noName: '(ohne Namen)',
  hasSuspicion: 'verdächtig',
  hasFailed: 'fehlgeschlagen',
  madeFrom: tables => `, aus ${tables.join(' und ')}`,
  suspectedIn: label => ` Der Fehler wird in ${label} vermutet.`,
  pictureNotShown: '(Das Bild lässt sich hier nicht zeigen.)',
  nothingLogged: 'Von diesem Lauf ist nichts protokolliert, also gibt es keinen Graphen zu zeichnen.',
  pictureIn: file => `Der Graph steht in ${file}.`,
  whichRows: 'welche Zeilen',
  noColumn: 'keine Spalte',
  moreLines: count => `… und ${count} weitere`,
  columnUses: {
    IDENTITY: '',
    TRANSFORMATION: 'berechnet',
    AGGREGATION: 'aggregiert',
    JOIN: 'Join',
    FILTER: 'Filter',
    GROUP_BY: 'Gruppierung',
    SORT: 'Sortierung',
    WINDOW: 'Fenster',
    CONDITIONAL: 'Bedingung',
  },
} satisfies LineageWords

export const lineageWords = inLanguages<LineageWords, Language | undefined>({ en: ENGLISH, de: GERMAN })
