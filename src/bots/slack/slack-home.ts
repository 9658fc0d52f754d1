import type { HomeView, RichTextLink, RichTextSection, RichTextText } from '@slack/types'
import type { SlackWords } from '../../words/slack-words.ts'
import type { RecentQuestion } from '../recent-questions.ts'
import { cutText, visibleText } from '../shown-text.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

/** The manifest names it, in one language for all. */
const MENU_ENTRY = 'Ask Clew about this'

/** The contents of the home tab. */
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
export function homeView({ recent, examples, botName, teamUrl }: HomeContent, words: SlackWords): HomeView {
  const { home, usages } = words
  const asked = recent.map(question => section(questionElement(question, teamUrl)))
  return {
    type: 'home',
    blocks: [
      heading(home.doHeading),
      paragraph(home.does),
      heading(home.askHeading),
      list([
        section(text(home.mention), code(`@${botName} ${home.mentionExample}`)),
        section(text(home.direct)),
        section(text(home.command), code(usages.ask)),
        section(text(home.lineage), code(usages.lineage)),
        section(text(home.menu), text(MENU_ENTRY, { italic: true })),
      ]),
      heading(home.beginHeading),
      list(suggestedQuestions(examples, words).map(question => section(text(visibleText(question))))),
      ...(asked.length === 0 ? [] : [heading(home.recentHeading), list(asked)]),
    ],
  }
}

/** Questions that the direct conversation offers to ask. */
export function suggestedPrompts(
  examples: readonly string[],
  words: SlackWords,
): { readonly title: string; readonly message: string }[] {
  return suggestedQuestions(examples, words)
    .map(question => visibleText(question))
    .map(message => ({ title: cutText(message, SLACK_LIMITS.promptTitle), message }))
}

/** Where the operator names no questions, some that have an answer on every warehouse. */
function suggestedQuestions(examples: readonly string[], { generalQuestions }: SlackWords): readonly string[] {
  const named = examples.filter(example => visibleText(example).trim() !== '')
  return (named.length === 0 ? generalQuestions : named).slice(0, SLACK_LIMITS.suggestedPrompts)
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

function paragraph(sentences: string) {
  return { type: 'rich_text', elements: [section(text(sentences))] } as const satisfies {
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
