import { inLanguages } from './language.ts'

/** Sentences about what people have used, and may use. */
const ENGLISH = {
  heading: 'What you have used:',
  headingOf: (person: string) => `What ${person} has used:`,
  questions: (amount: string, isOne: boolean) => `${amount} ${isOne ? 'question' : 'questions'}`,
  tokens: (amount: string) => `${amount} tokens of the language model`,
  cost: (amount: string) => `${amount} for the language model`,
  bytes: (amount: string) => `${amount} read from the data`,
  of: (used: string, limit: string) => `${used} of ${limit}`,
  windows: { day: 'today', week: 'this week', month: 'this month' },
  minutes: (minutes: number) => `within ${minutes} minutes`,
  until: (amount: string, when: string) => `${amount}, until ${when}`,
  haveUsed: {
    person: (amount: string) => `You have used ${amount}.`,
    channel: (amount: string) => `This channel has used ${amount}.`,
    role: (amount: string) => `People with your role have used ${amount}.`,
    all: (amount: string) => `Everybody together has used ${amount}.`,
  },
  startsAgain: (when: string) => `The count starts again on ${when}.`,
}

const GERMAN = {
  heading: 'Bisher verbraucht:',
  headingOf: person => `Verbrauch von ${person}:`,
  questions: (amount, isOne) => `${amount} ${isOne ? 'Frage' : 'Fragen'}`,
  tokens: amount => `${amount} Token des Sprachmodells`,
  cost: amount => `${amount} für das Sprachmodell`,
  bytes: amount => `${amount} an gelesenen Daten`,
  of: (used, limit) => `${used} von ${limit}`,
  windows: { day: 'heute', week: 'diese Woche', month: 'diesen Monat' },
  minutes: minutes => `innerhalb von ${minutes} Minuten`,
  until: (amount, when) => `${amount}, bis ${when}`,
  haveUsed: {
    person: amount => `Eigener Verbrauch: ${amount}.`,
    channel: amount => `Verbrauch dieses Kanals: ${amount}.`,
    role: amount => `Verbrauch aller mit der gleichen Rolle: ${amount}.`,
    all: amount => `Verbrauch aller zusammen: ${amount}.`,
  },
  startsAgain: when => `Neu gezählt wird ab ${when}.`,
} satisfies typeof ENGLISH

export const usageWords = inLanguages<typeof ENGLISH>({ en: ENGLISH, de: GERMAN })
