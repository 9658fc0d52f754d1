import { shownText } from './shown-text.ts'
import { writtenText } from './written-text.ts'

/** The options of a slash command. `/ask` has a question. `/lineage` has a job. It and `/subscriptions` may have further words. */
export interface CommandOptions {
  readonly question?: string | undefined
  readonly job?: string | undefined
  readonly deep?: boolean | undefined
}

/**
 * Returns the message that has the same effect as a slash command: `/lineage` gives `@Clew lineage JOB …`. Undefined if an option
 * is missing.
 */
export function commandText(name: string, { question, job, deep }: CommandOptions): string | undefined {
  const asked = words(question)
  if (name === 'ask') return asked === '' ? undefined : asked
  if (name === 'subscriptions') return `/subscriptions ${asked}`.trim()
  const investigated = words(job).replace(/\s+/g, '_')
  if (name !== 'lineage' || investigated === '') return undefined
  return ['lineage', investigated, asked, deep === true ? '--deep' : ''].filter(part => part !== '').join(' ')
}

function words(text = ''): string {
  return writtenText(text, sent => shownText(sent).trim())
}
