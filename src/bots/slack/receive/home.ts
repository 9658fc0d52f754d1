import type { HomeView, RichTextLink, RichTextSection, RichTextText } from '@slack/types'
import type { RecentQuestion } from '../../../chat/recent-questions.ts'
import type { SlackWords } from '../../../words/slack.ts'
import { cutText, shownText } from '../../shared/shown-text.ts'
import { SLACK_LIMITS } from '../limits.ts'

/** The name of the shortcut, as in the app's manifest. It is the same in every language. */
const MENU_ENTRY = 'Ask Clew about this'

export interface HomeContent {
  /** The questions that the person asked, latest first. */
  readonly recent: readonly RecentQuestion[]
  /** The operator's example questions. If there are none, general ones are shown. */
  readonly examples: readonly string[]
  /** The bot's name without the `@`. */
  readonly botName: string
  /** The workspace's address, `https://….slack.com/`, for links to messages. */
  readonly teamUrl: string | undefined
}

/** Builds a person's home tab: what Clew does, how to ask it, and the person's recent questions. */
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
      list(suggestedQuestions(examples, words).map(question => section(text(shownText(question))))),
      ...(asked.length === 0 ? [] : [heading(home.recentHeading), list(asked)]),
    ],
  }
}

export function suggestedPrompts(
  examples: readonly string[],
  words: SlackWords,
): { readonly title: string; readonly message: string }[] {
  return suggestedQuestions(examples, words)
    .map(question => shownText(question))
    .map(message => ({ title: cutText(message, SLACK_LIMITS.promptTitle), message }))
}

/** Returns the operator's example questions. If there are none, returns general ones, for any warehouse. */
function suggestedQuestions(examples: readonly string[], { generalQuestions }: SlackWords): readonly string[] {
  const named = examples.filter(example => shownText(example).trim() !== '')
  return (named.length === 0 ? generalQuestions : named).slice(0, SLACK_LIMITS.suggestedPrompts)
}

function questionElement({ text: question, place, messageId }: RecentQuestion, teamUrl: string | undefined) {
  const shown = shownText(question).replace(/\s+/g, ' ')
  const url = permalink(teamUrl, { channel: place.channel, thread: place.thread, message: messageId })
  return url === undefined ? text(shown) : ({ type: 'link', url, text: shown } satisfies RichTextLink)
}

/** Builds a link to a message or reply. It is the same link as in https://docs.slack.dev/reference/methods/chat.getPermalink. */
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

/** Builds a list of rich text. Slack never reads markup in rich text, so a question cannot become markup. */
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
