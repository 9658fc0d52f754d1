import { inLanguages, type Language } from './language.ts'

/** Text that only Slack shows: the home tab, forms, a status, and private notices. */
const ENGLISH = {
  thinking: 'is thinking…',
  generalQuestions: ['What tables are there?', 'What can you do?', 'How do you make sure that an answer is right?'],
  usages: {
    ask: '/ask how many users signed up last week?',
    lineage: '/lineage JOB why is a row missing? --deep',
    subscriptions: '/subscriptions edit ID every day at 9 instead',
  },
  home: {
    doHeading: 'What I do',
    does:
      'Ask me about your data in plain words. I break the question down, write and run the queries, and answer in the thread, ' +
      'with the query behind every claim. In a thread that I am in, go on without a mention.',
    askHeading: 'How to ask',
    mention: 'Mention me in a channel that I am in: ',
    mentionExample: 'how many users signed up last week?',
    direct: 'Write to me directly, under Messages.',
    command: 'Anywhere but in threads: ',
    lineage: 'To find out how a pipeline came to its rows: ',
    menu: 'From the menu of a message: ',
    beginHeading: 'Questions to begin with',
    recentHeading: 'Your recent questions',
  },
  notSentFiles: (names: string) => `I could not send you ${names}: Slack does not let me write to you directly, or attach files.`,
  askedBy: (name: string) => `asked by ${name}`,
  send: 'Send',
  cancel: 'Cancel',
  questionForm: {
    title: 'Ask Clew about this',
    submit: 'Ask',
    label: 'Your question',
    hint: 'It is asked, and answered, in the thread of the message.',
  },
  askLikeThis: (usage: string) => `Ask like this: \`${usage}\``,
  invite: (name: string) => `I cannot write here. Invite me with /invite @${name} and ask again, or ask me in a direct message.`,
}

type SameShape<Words> = {
  readonly [Key in keyof Words]: Words[Key] extends string
    ? string
    : Words[Key] extends (...given: never[]) => string
      ? Words[Key]
      : Words[Key] extends string[]
        ? readonly string[]
        : SameShape<Words[Key]>
}
export type SlackWords = SameShape<typeof ENGLISH>

const GERMAN = {
  thinking: 'überlegt…',
  generalQuestions: ['Welche Tabellen gibt es?', 'Was kannst du?', 'Wie prüfst du, ob eine Antwort stimmt?'],
  usages: {
    ask: '/ask wie viele Nutzer haben sich letzte Woche angemeldet?',
    lineage: '/lineage JOB warum fehlt eine Zeile? --deep',
    subscriptions: '/subscriptions edit ID lieber täglich um 9',
  },
  home: {
    doHeading: 'Was ich tue',
    does:
      'Fragen zu den Daten beantworte ich in einfachen Worten. Ich zerlege die Frage, schreibe Abfragen, führe sie aus und antworte im Thread, ' +
      'mit der Abfrage hinter jeder Aussage. In einem Thread, in dem ich bin, geht es ohne Erwähnung weiter.',
    askHeading: 'So wird gefragt',
    mention: 'Mit einer Erwähnung in einem Kanal, in dem ich bin: ',
    mentionExample: 'wie viele Nutzer haben sich letzte Woche angemeldet?',
    direct: 'Als Direktnachricht, unter „Nachrichten“.',
    command: 'Überall außer in Threads: ',
    lineage: 'Wie eine Pipeline zu ihren Zeilen kam: ',
    menu: 'Im Menü einer Nachricht: ',
    beginHeading: 'Fragen für den Anfang',
    recentHeading: 'Zuletzt gefragt',
  },
  notSentFiles: names => `${names} lässt sich nicht senden: Slack erlaubt mir hier keine Direktnachrichten oder keine Dateien.`,
  askedBy: name => `gefragt von ${name}`,
  send: 'Senden',
  cancel: 'Abbrechen',
  questionForm: {
    title: 'Clew dazu fragen',
    submit: 'Fragen',
    label: 'Die Frage',
    hint: 'Gefragt und geantwortet wird im Thread der Nachricht.',
  },
  askLikeThis: usage => `So wird gefragt: \`${usage}\``,
  invite: name =>
    `Hier kann ich nicht schreiben. Bitte mit /invite @${name} einladen und noch einmal fragen, oder in einer Direktnachricht.`,
} satisfies SlackWords

export const slackWords = inLanguages<SlackWords, Language | undefined>({ en: ENGLISH, de: GERMAN })
