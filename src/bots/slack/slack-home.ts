import type { HomeView, RichTextLink, RichTextSection, RichTextText } from '@slack/types'
import type { RecentQuestion } from '../recent-questions.ts'
import { cutText, visibleText } from '../shown-text.ts'
import { SLACK_COMMANDS } from './slack-app.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

/** Asked where the operator names no questions: these have an answer on every warehouse. */
const GENERAL_QUESTIONS = ['What tables are there?', 'What can you do?', 'How do you make sure that an answer is right?'] as const

/** What the home tab is made of. */
export interface HomeContent {
  /** The person's own, the latest first. */
  readonly recent: readonly RecentQuestion[]
  /** Questions to begin with; some general ones if there are none. */
  readonly examples: readonly string[]
  /** The bot's name, without the `@`. */
  readonly botName: string
  /** `https://….slack.com/`, for links to messages. */
  readonly teamUrl: string | undefined
}

/** The home tab of one person: what Clew does, how it is asked, and what this person asked lately. */
export function homeView({ recent, examples, botName, teamUrl }: HomeContent): HomeView {
  const asked = recent.map(question => section(questionElement(question, teamUrl)))
  return {
    type: 'home',
    blocks: [
      heading('What I do'),
      paragraph(
        'Ask me about your data in plain words. I break the question down, write and run the queries, and answer in the thread, ',
        'with the query behind every claim. In a thread that I am in, go on without a mention.',
      ),
      heading('How to ask'),
      list([
        section(text('Mention me in a channel that I am in: '), code(`@${botName} how many users signed up last week?`)),
        section(text('Write to me directly, under Messages.')),
        section(text('Anywhere but in threads: '), code(SLACK_COMMANDS['/ask'].usage)),
        section(text('To find out how a pipeline came to its rows: '), code(SLACK_COMMANDS['/lineage'].usage)),
        section(text('From the menu of a message: '), text('Ask Clew about this', { italic: true })),
      ]),
      heading('Questions to begin with'),
      list(suggestedQuestions(examples).map(question => section(text(visibleText(question))))),
      ...(asked.length === 0 ? [] : [heading('Your recent questions'), list(asked)]),
    ],
  }
}

/** Questions that the direct conversation offers to ask. */
export function suggestedPrompts(examples: readonly string[]): { readonly title: string; readonly message: string }[] {
  return suggestedQuestions(examples)
    .map(question => visibleText(question))
    .map(message => ({ title: cutText(message, SLACK_LIMITS.promptTitle), message }))
}

function suggestedQuestions(examples: readonly string[]): readonly string[] {
  const named = examples.filter(example => visibleText(example).trim() !== '')
  return (named.length === 0 ? GENERAL_QUESTIONS : named).slice(0, SLACK_LIMITS.suggestedPrompts)
}

function questionElement({ text: question, place, messageId }: RecentQuestion, teamUrl: string | undefined) {
  const shown = visibleText(question).replace(/\s+/g, ' ')
  const url = permalink(teamUrl, { channel: place.channel, thread: place.thread, message: messageId })
  return url === undefined ? text(shown) : ({ type: 'link', url, text: shown } satisfies RichTextLink)
}

/** The form of what https://docs.slack.dev/reference/methods/chat.getPermalink returns, of a reply too. */
function permalink(
  teamUrl: string | undefined,
  at: { readonly channel: string; readonly thread: string; readonly message: string },
): string | undefined {
  if (teamUrl === undefined || !teamUrl.startsWith('https://') || !URL.canParse(teamUrl)) return undefined
  const url = new URL(`archives/${encodeURIComponent(at.channel)}/p${at.message.replace('.', '')}`, teamUrl)
  if (at.thread !== at.message) url.search = new URLSearchParams({ thread_ts: at.thread, cid: at.channel }).toString()
  return url.href
}

function heading(title: string) {
  return { type: 'header', text: { type: 'plain_text', text: title, emoji: false } } as const
}

function paragraph(...sentences: readonly string[]) {
  return { type: 'rich_text', elements: [section(text(sentences.join('')))] } as const satisfies {
    type: string
    elements: unknown
  }
}

/** Rich text is shown as it is: nothing that somebody asked becomes markup here. */
function list(elements: RichTextSection[]) {
  return { type: 'rich_text' as const, elements: [{ type: 'rich_text_list' as const, style: 'bullet' as const, elements }] }
}

function section(...elements: RichTextSection['elements']): RichTextSection {
  return { type: 'rich_text_section', elements }
}

function text(words: string, style?: RichTextText['style']): RichTextText {
  return { type: 'text', text: words, ...(style === undefined ? {} : { style }) }
}

function code(words: string): RichTextText {
  return text(words, { code: true })
}
