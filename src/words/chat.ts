import { inLanguages, numberText } from './language.ts'

/** The text around an answer in a chat or terminal: progress, buttons, and replies to pressed buttons. */
const ENGLISH = {
  lookingIntoIt: 'Looking into it …',
  stopping: 'Stopping …',
  stopped: 'Stopped.',
  noText: '(no text)',
  goesOn: 'The answer goes on: the whole text is in',
  buttonsOfAbove: 'The buttons of the answer above.',
  done: 'Done:',
  answerReady: 'your answer is ready.',
  sentFiles: (names: string) => `I sent you ${names} in a direct message.`,
  pressFailed: 'Something went wrong on my side. Please press again in a minute.',
  pressCrashed: 'My process ended over this, so I do not try it again. Whoever runs Clew finds the reason in its log.',
  yourChoice: (numbers: string) => `Your choice (${numbers}): `,
  typeChoice: (numbers: string) => `Please type a number (${numbers}) or the words of a choice: `,
  oneTooMany: (most: number, minutes: number) =>
    `This thread has had more than ${most} messages within ${minutes} minutes: I answer here again when it is calmer. Please ask in a new thread.`,
  tooManyQuestions: (minutes: number) =>
    `There have been more questions from you, or in this channel, than I answer at a time. I go on in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}: please ask again then.`,
  tooManyPresses: (minutes: number) =>
    `That was more pressing, by you or in this channel, than I can follow. I go on in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}: please press again then.`,
  thinking: 'Thinking',
  modelBusy: 'The model cannot answer now; I try again',
  statuses: {
    classify: 'Reading the question',
    decompose: 'Planning what to look up',
    plan_sources: 'Planning which sources to ask',
    generate: 'Writing SQL',
    execute: 'Running queries',
    combine: 'Combining the results',
    review_empty: 'Nothing found; checking the filters',
    confirm: 'Waiting for your decision',
    synthesize: 'Writing the answer',
    proofread: 'Proofreading the answer',
    respond: 'Writing the answer',
    lineage: 'Following the rows',
    tool: 'Looking at tables',
    confirm_replay: 'Waiting for your decision',
    replay: 'Running the job again',
    draft_pipeline: 'Drafting the pipeline',
    check_draft: 'Checking the draft on samples',
    confirm_draft: 'Waiting for your decision',
  },
  writingSql: 'writing SQL',
  running: 'running',
  decision: 'waiting for your decision',
  checking: 'nothing found, checking the filters',
  attempt: (doing: string, count: number) => `${doing}, attempt ${count}`,
  tooExpensive: 'too expensive: asking for less',
  failed: 'failed',
  rowsIn: (rows: number, milliseconds: number) =>
    `${numberText(rows, 'en')} ${rows === 1 ? 'row' : 'rows'} in ${milliseconds} ms`,
  stop: 'Stop',
  retry: 'Retry',
  publish: 'Post to channel',
  showSources: 'Show sources',
  moreSources: (count: number) =>
    count === 1
      ? 'The source of one more figure is not shown.'
      : `The sources of ${numberText(count, 'en')} more figures are not shown.`,
  noSources: 'No source of a figure is known for this answer.',
  seeSources: 'For the SQL and the source of each figure, add --sources, or type /sql and /sources in clew chat.',
  showSql: 'Show SQL',
  csv: 'Download CSV',
  yaml: 'Download YAML',
  helpful: 'Helpful',
  unhelpful: 'Not helpful',
  whatWasWrong: 'What was wrong?',
  optional: (label: string) => `${label} (optional)`,
  notKnown: '⚠️ I do not know what to do with this. It may be from an older version.',
  console: (link: string) => `Your link to the console. It signs in once, within ten minutes, so do not pass it on:\n${link}`,
  noConsole: 'The console has no address yet. Whoever runs Clew sets CLEW_CONSOLE_URL.',
  notAccepted: '⚠️ I could not take this in. Please try again in a minute.',
  hello: 'Hi! Ask me a question about the data, for example "what tables are there?".',
  noRole: 'You are not among the people who may ask me about the data here. Whoever runs Clew can give you a role.',
  peopleUnknown:
    'I cannot check just now what you may see, because I am not told which groups you are in. Please ask again in a few minutes.',
  forgotten: 'I no longer have this answer. Ask the question again, and the buttons of the new answer will work.',
  mayNotRead: 'This answer rests on data that you may not read, so I cannot show it to you.',
  onlyAsker: {
    answer: 'Only the person who asked can answer this.',
    publish: 'Only the person who asked can post this to the channel.',
    retry: 'Only the person who asked can have this tried again.',
    stop: 'Only the person who asked can stop this.',
  },
  wentOn: 'You went on to something else, so this question is closed. Ask again if you still want to know.',
  answeredAlready: (choice: string) => `This was answered already: **${choice}**.`,
  nothingToDownload: 'There are no rows to download.',
  download: (rows: number, isCut: boolean, total?: number) => {
    const size = `${numberText(rows, 'en')} ${rows === 1 ? 'row' : 'rows'}`
    if (total !== undefined) return `**the first ${size} of ${numberText(total, 'en')}**`
    return isCut ? `**the first ${size}, there are more**` : size
  },
  thanks: 'Thank you, glad it helped.',
  noted: 'Thank you, that is noted for whoever runs Clew.',
  posted: 'Posted.',
  unreachable: 'I cannot post there: I may have been removed from the channel.',
  mayNotPublish: 'This answer rests on data that not everybody there may read, so it stays with you.',
  triedAgain: 'I have tried this again already.',
  endedAlready: 'This has ended already.',
  willNotLook: 'I will not look into this when its turn comes.',
  noQuery: 'No query was needed for this.',
  assumed: (assumption: string) => `Assumed: ${assumption}`,
  itFailed: (message: string) => `It failed: ${message}`,
  noSql: 'No SQL was written.',
  queryFailed: (id: string, error: string) => `${id} failed: ${error}`,
  returnedNothing: (id: string) => `${id} returned no rows.`,
  rowsCut: 'There are more rows, which were cut.',
  rowsHidden: (count: number, isCut: boolean) =>
    `${numberText(count, 'en')} more ${count === 1 ? 'row' : 'rows'}${isCut ? ', and more that were cut' : ''}`,
  outOfReach: 'I can no longer reach you here, nor by direct message. Please press the button again.',
  askOrHelp: 'Ask a question about your data, or /help.',
  help: `Ask in plain words. Commands:
  /sources [Q1]            where the figures of the last answer come from
  /sql [Q1]                the SQL of the last answer
  /table [Q1]              the rows of the last answer
  /lineage JOB [question]  look into the last run of a pipeline
  /new                     start another conversation
  /quit                    leave (or Ctrl-D)
Ctrl-C stops an answer that is under way, clears a line that is typed, and leaves when it is pressed twice.`,
  leaveHint: 'Press Ctrl-C again to leave.',
  lineageUsage: 'Name the pipeline: /lineage JOB, or /lineage JOB why is … NULL?',
  newConversation: 'A new conversation.',
  noCommand: (command: string) => `There is no ${command}.`,
  nothingToShow: 'No query to show.',
  noSuchQuery: (id: string, known: readonly string[]) => `There is no ${id}: the last answer has ${known.join(', ')}.`,
}

export type ChatWords = typeof ENGLISH

const GERMAN = {
  lookingIntoIt: 'Ich sehe nach …',
  stopping: 'Wird abgebrochen …',
  stopped: 'Abgebrochen.',
  noText: '(kein Text)',
  goesOn: 'Die Antwort geht weiter: Der ganze Text steht in',
  buttonsOfAbove: 'Die Knöpfe der Antwort darüber.',
  done: 'Fertig:',
  answerReady: 'die Antwort ist da.',
  sentFiles: names => `${names} kommt als Direktnachricht.`,
  pressFailed: 'Bei mir ist etwas schiefgegangen. Bitte in einer Minute noch einmal drücken.',
  pressCrashed:
    'Mein Prozess ist daran gescheitert, deshalb versuche ich es nicht noch einmal. Wer Clew betreibt, findet den Grund im Protokoll.',
  yourChoice: numbers => `Auswahl (${numbers}): `,
  typeChoice: numbers => `Bitte eine Nummer (${numbers}) oder die Worte einer Auswahl eingeben: `,
  oneTooMany: (most, minutes) =>
    `Hier kamen innerhalb von ${minutes} Minuten mehr als ${most} Nachrichten: Ich antworte wieder, wenn es ruhiger ist. Bitte in einem neuen Thread fragen.`,
  tooManyQuestions: minutes =>
    `Hier oder von der gleichen Person kamen mehr Fragen, als ich auf einmal beantworte. In ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} geht es weiter: Bitte dann noch einmal fragen.`,
  tooManyPresses: minutes =>
    `Hier oder von der gleichen Person wurde öfter gedrückt, als ich nachkomme. In ${minutes === 1 ? 'einer Minute' : `${minutes} Minuten`} geht es weiter: Bitte dann noch einmal drücken.`,
  thinking: 'Ich überlege',
  modelBusy: 'Das Sprachmodell kann gerade nicht antworten; ich versuche es noch einmal',
  statuses: {
    classify: 'Ich lese die Frage',
    decompose: 'Ich plane, was nachzusehen ist',
    plan_sources: 'Ich plane, welche Quellen zu fragen sind',
    generate: 'Ich schreibe SQL',
    execute: 'Die Abfragen laufen',
    combine: 'Ich verbinde die Ergebnisse',
    review_empty: 'Nichts gefunden; ich prüfe die Filter',
    confirm: 'Ich warte auf eine Entscheidung',
    synthesize: 'Ich schreibe die Antwort',
    proofread: 'Ich lese die Antwort Korrektur',
    respond: 'Ich schreibe die Antwort',
    lineage: 'Ich verfolge die Zeilen',
    tool: 'Ich sehe mir Tabellen an',
    confirm_replay: 'Ich warte auf eine Entscheidung',
    replay: 'Der Job läuft noch einmal',
    draft_pipeline: 'Ich entwerfe die Pipeline',
    check_draft: 'Ich probiere den Entwurf mit einigen Zeilen aus',
    confirm_draft: 'Ich warte auf eine Entscheidung',
  },
  writingSql: 'SQL entsteht',
  running: 'läuft',
  decision: 'wartet auf eine Entscheidung',
  checking: 'nichts gefunden, Filter werden geprüft',
  attempt: (doing, count) => `${doing}, Versuch ${count}`,
  tooExpensive: 'zu aufwendig: frage weniger ab',
  failed: 'fehlgeschlagen',
  rowsIn: (rows, milliseconds) => `${numberText(rows, 'de')} ${rows === 1 ? 'Zeile' : 'Zeilen'} in ${milliseconds} ms`,
  stop: 'Abbrechen',
  retry: 'Noch einmal',
  publish: 'Im Kanal zeigen',
  showSources: 'Herkunft zeigen',
  moreSources: count =>
    count === 1
      ? 'Die Herkunft einer weiteren Zahl ist nicht gezeigt.'
      : `Die Herkunft von ${numberText(count, 'de')} weiteren Zahlen ist nicht gezeigt.`,
  noSources: 'Für diese Antwort ist von keiner Zahl die Herkunft bekannt.',
  seeSources: 'SQL und Herkunft jeder Zahl: mit --sources fragen, oder in clew chat /sql und /sources eingeben.',
  showSql: 'SQL zeigen',
  csv: 'CSV herunterladen',
  yaml: 'YAML herunterladen',
  helpful: 'Hilfreich',
  unhelpful: 'Nicht hilfreich',
  whatWasWrong: 'Was war falsch?',
  optional: label => `${label} (freiwillig)`,
  notKnown: '⚠️ Damit kann ich nichts anfangen. Vielleicht stammt es aus einer älteren Version.',
  console: link => `Der Link zur Konsole. Er gilt einmal und zehn Minuten lang, also bitte nicht weitergeben:\n${link}`,
  noConsole: 'Die Konsole hat noch keine Adresse. Wer Clew betreibt, setzt CLEW_CONSOLE_URL.',
  notAccepted: '⚠️ Das konnte ich nicht annehmen. Bitte in einer Minute noch einmal versuchen.',
  hello: 'Hallo! Stell mir eine Frage zu den Daten, zum Beispiel „Welche Tabellen gibt es?“',
  noRole: 'Fragen zu den Daten sind hier nur mit einer Rolle möglich. Wer Clew betreibt, kann eine vergeben.',
  peopleUnknown:
    'Gerade lässt sich nicht prüfen, welche Daten hier sichtbar sein dürfen, weil mir die Gruppen nicht genannt werden. Bitte in ein paar Minuten noch einmal fragen.',
  forgotten: 'Diese Antwort habe ich nicht mehr. Nach der gleichen Frage gehen die Knöpfe der neuen Antwort.',
  mayNotRead: 'Diese Antwort beruht auf Daten, für die das Leserecht fehlt. Deshalb kann ich sie nicht zeigen.',
  onlyAsker: {
    answer: 'Darauf kann nur antworten, wer gefragt hat.',
    publish: 'Im Kanal zeigen kann das nur, wer gefragt hat.',
    retry: 'Noch einmal versuchen lassen kann das nur, wer gefragt hat.',
    stop: 'Abbrechen kann das nur, wer gefragt hat.',
  },
  wentOn: 'Inzwischen ging es um etwas anderes, deshalb ist diese Rückfrage geschlossen. Bei Bedarf einfach neu fragen.',
  answeredAlready: choice => `Das ist schon beantwortet: **${choice}**.`,
  nothingToDownload: 'Es gibt keine Zeilen zum Herunterladen.',
  download: (rows, isCut, total) => {
    const size = `${numberText(rows, 'de')} ${rows === 1 ? 'Zeile' : 'Zeilen'}`
    if (total !== undefined) return `**die ersten ${size} von ${numberText(total, 'de')}**`
    return isCut ? `**die ersten ${size}, es gibt noch mehr**` : size
  },
  thanks: 'Danke, schön, dass es geholfen hat.',
  noted: 'Danke, das ist für den Betreiber von Clew notiert.',
  posted: 'Im Kanal gezeigt.',
  unreachable: 'Dort kann ich nicht schreiben: Vielleicht wurde ich aus dem Kanal entfernt.',
  mayNotPublish: 'Diese Antwort beruht auf Daten, die dort nicht alle lesen dürfen. Deshalb bleibt sie privat.',
  triedAgain: 'Das habe ich schon noch einmal versucht.',
  endedAlready: 'Das ist schon zu Ende.',
  willNotLook: 'Wenn das an der Reihe ist, sehe ich nicht mehr nach.',
  noQuery: 'Dafür war keine Abfrage nötig.',
  assumed: assumption => `Annahme: ${assumption}`,
  itFailed: message => `Fehlgeschlagen: ${message}`,
  noSql: 'Es wurde kein SQL geschrieben.',
  queryFailed: (id, error) => `${id} ist fehlgeschlagen: ${error}`,
  returnedNothing: id => `${id} hat keine Zeilen geliefert.`,
  rowsCut: 'Es gibt weitere Zeilen, die abgeschnitten sind.',
  rowsHidden: (count, isCut) =>
    `${numberText(count, 'de')} weitere ${count === 1 ? 'Zeile' : 'Zeilen'}${isCut ? ', und mehr, die abgeschnitten sind' : ''}`,
  outOfReach: 'Die Antwort kommt hier nicht mehr an, auch nicht als Direktnachricht. Bitte den Knopf noch einmal drücken.',
  askOrHelp: 'Eine Frage zu den Daten stellen, oder /help.',
  help: `Einfach in eigenen Worten fragen. Befehle:
  /sources [Q1]         woher die Zahlen der letzten Antwort stammen
  /sql [Q1]             das SQL der letzten Antwort
  /table [Q1]           die Zeilen der letzten Antwort
  /lineage JOB [Frage]  den letzten Lauf einer Pipeline untersuchen
  /new                  ein neues Gespräch beginnen
  /quit                 beenden (oder Strg-D)
Strg-C bricht eine laufende Antwort ab, löscht eine angefangene Zeile und beendet das Gespräch, wenn es zweimal gedrückt wird.`,
  leaveHint: 'Zum Beenden noch einmal Strg-C drücken.',
  lineageUsage: 'Bitte die Pipeline nennen: /lineage JOB, oder /lineage JOB warum ist … NULL?',
  newConversation: 'Ein neues Gespräch.',
  noCommand: command => `Den Befehl ${command} gibt es nicht.`,
  nothingToShow: 'Es gibt keine Abfrage zu zeigen.',
  noSuchQuery: (id, known) => `${id} gibt es nicht: Die letzte Antwort hat ${known.join(', ')}.`,
} satisfies ChatWords

export const chatWords = inLanguages<ChatWords>({ en: ENGLISH, de: GERMAN })
