import { inLanguages, type Language } from './language.ts'

/** Sentences that say why a question has no answer, and what the asker can do. */
const ENGLISH = {
  language: 'en' as Language,
  timedOut: (seconds: number) =>
    `This took longer than the ${seconds} s allowed, so I stopped. Ask for a shorter period or a simpler question, or raise CLEW_RUN_TIMEOUT_S.`,
  tooLong: (most: number) =>
    `Your question has more than the ${most.toLocaleString('en')} characters that one may have. Please ask in fewer words.`,
  heldUp: 'This kept everybody else waiting, so I stopped. Please ask in a simpler way, or for less at once.',
  crashed: 'My process ended over this question, so I cannot answer it. Please ask for less at once.',
  otherAccess: 'What you may ask about has changed since you asked this. Please ask again.',
  noSource: 'There are no data here that you may ask about. Whoever runs Clew can give you the right to them.',
  forgotten: 'That is too long ago: I no longer have what I had found out. Please ask again.',
  unrecorded:
    'I may answer only what the audit log records, and it could not be written. Please ask again in a minute; if this stays so, whoever runs Clew finds the reason in its log.',
  modelOverloaded: (minutes: number) =>
    `The language model takes no more questions just now. Please ask again in ${minutes > 90 ? `${Math.ceil(minutes / 60)} hours` : minutes > 1 ? `${minutes} minutes` : 'a minute'}.`,
  modelTooSmall:
    'This is more text than the language model takes at once. Please ask again in a new thread, or for less at once.',
  modelSlow: 'The language model took too long to answer. Please ask again in a minute, or for less at once.',
  modelAway: 'The language model could not be reached. Please ask again in a minute.',
  modelRefusesUs: 'The language model does not work for me just now. Whoever runs Clew should run `clew doctor`.',
  modelDeclined: 'The language model declined to answer this. Please ask in another way.',
  modelUnusable: 'The language model gave no usable answer. Please ask again, perhaps in other words.',
  noRecording: (nearest: readonly string[]) =>
    `This demo has no model, so it answers its own questions only, and follow-ups after the question before.${nearest.length === 0 ? '' : ` Ask for example ${nearest.map(question => `"${question}"`).join(' or ')}.`} To ask anything, set OPENAI_API_KEY and OPENAI_MODEL (or OPENAI_BASE_URL) and start again.`,
  warehouseAway: 'The warehouse could not be reached in time. Please ask again in a minute.',
  warehouseUnreadable: 'The warehouse could not be read. Whoever runs Clew should run `clew doctor`.',
  other: 'Something went wrong on my side. Please ask again; whoever runs Clew finds the reason in its log.',
}

export type ErrorWords = typeof ENGLISH

const GERMAN = {
  language: 'de',
  timedOut: seconds =>
    `Das hat länger gedauert als die erlaubten ${seconds} s, deshalb habe ich abgebrochen. Ein kürzerer Zeitraum oder eine einfachere Frage hilft, oder ein höheres CLEW_RUN_TIMEOUT_S.`,
  tooLong: most =>
    `Die Frage hat mehr als die ${most.toLocaleString('de')} Zeichen, die erlaubt sind. Bitte mit weniger Worten fragen.`,
  heldUp:
    'Darauf mussten alle anderen warten, deshalb habe ich abgebrochen. Bitte einfacher fragen, oder nach weniger auf einmal.',
  crashed:
    'Mein Prozess ist an dieser Frage gescheitert, deshalb kann ich sie nicht beantworten. Bitte nach weniger auf einmal fragen.',
  otherAccess: 'Welche Daten hier gefragt werden dürfen, hat sich seit dieser Frage geändert. Bitte noch einmal fragen.',
  noSource: 'Hier gibt es keine Daten, nach denen gefragt werden darf. Wer Clew betreibt, kann das Recht dazu geben.',
  forgotten: 'Das ist zu lange her: Was ich herausgefunden hatte, habe ich nicht mehr. Bitte noch einmal fragen.',
  unrecorded:
    'Ich darf nur antworten, wenn das Auditprotokoll es festhält, und es ließ sich nicht schreiben. Bitte in einer Minute noch einmal fragen; bleibt es so, findet, wer Clew betreibt, den Grund im Log.',
  modelOverloaded: minutes =>
    `Das Sprachmodell nimmt gerade keine Fragen mehr an. Bitte in ${minutes > 90 ? `${Math.ceil(minutes / 60)} Stunden` : minutes > 1 ? `${minutes} Minuten` : 'einer Minute'} noch einmal fragen.`,
  modelTooSmall:
    'Das ist mehr Text, als das Sprachmodell auf einmal nimmt. Bitte in einem neuen Thread fragen, oder nach weniger auf einmal.',
  modelSlow: 'Das Sprachmodell hat zu lange gebraucht. Bitte in einer Minute noch einmal fragen, oder nach weniger auf einmal.',
  modelAway: 'Das Sprachmodell war nicht erreichbar. Bitte in einer Minute noch einmal fragen.',
  modelRefusesUs: 'Das Sprachmodell arbeitet gerade nicht für mich. Wer Clew betreibt, sollte `clew doctor` aufrufen.',
  modelDeclined: 'Das Sprachmodell hat die Antwort darauf abgelehnt. Bitte anders fragen.',
  modelUnusable:
    'Das Sprachmodell hat keine brauchbare Antwort gegeben. Bitte noch einmal fragen, vielleicht mit anderen Worten.',
  noRecording: nearest =>
    `Diese Demo hat kein Modell. Deshalb beantwortet sie nur ihre eigenen Fragen, und Rückfragen nach der Frage davor.${nearest.length === 0 ? '' : ` Zum Beispiel ${nearest.map(question => `„${question}“`).join(' oder ')}.`} Für alles andere OPENAI_API_KEY und OPENAI_MODEL (oder OPENAI_BASE_URL) setzen und neu starten.`,
  warehouseAway: 'Die Datenbank war nicht rechtzeitig erreichbar. Bitte in einer Minute noch einmal fragen.',
  warehouseUnreadable: 'Die Datenbank ließ sich nicht lesen. Wer Clew betreibt, sollte `clew doctor` aufrufen.',
  other: 'Bei mir ist etwas schiefgegangen. Bitte noch einmal fragen; wer Clew betreibt, findet den Grund im Protokoll.',
} satisfies ErrorWords

export const errorWords = inLanguages<ErrorWords>({ en: ENGLISH, de: GERMAN })
