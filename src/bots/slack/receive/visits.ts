import { errorMessage } from '../../../base/errors.ts'
import type { RecentQuestions } from '../../../chat/recent-questions.ts'
import { slackWords } from '../../../words/slack.ts'
import { callSlack, type SlackClientOptions } from '../client.ts'
import type { SlackPersonSettings } from '../person-settings.ts'
import type { SlackIdentity, SlackVisit } from './event.ts'
import { homeView, suggestedPrompts } from './home.ts'

export interface SlackVisitsDeps {
  readonly client: SlackClientOptions
  readonly self: SlackIdentity
  readonly personOf: SlackPersonSettings
  readonly recentQuestions: RecentQuestions | undefined
  readonly examples: readonly string[]
}

/**
 * Shows the home tab, or suggested questions in the direct conversation. Never throws. After a failure, the next visit shows
 * them.
 */
export async function showVisitor(
  { client, self, personOf, recentQuestions, examples }: SlackVisitsDeps,
  visit: SlackVisit,
  signal: AbortSignal,
): Promise<void> {
  try {
    const words = slackWords((await personOf(visit.user, signal)).language)
    if (visit.to === 'messages') {
      const { channel, thread } = visit
      // An app with `agent_view` must not name a thread. If it does, the call has no effect:
      // docs.slack.dev/reference/methods/assistant.threads.setSuggestedPrompts.
      const where = thread === undefined ? { channel_id: channel } : { channel_id: channel, thread_ts: thread }
      const prompts = suggestedPrompts(examples, words)
      await callSlack(client, signal, slack => slack.assistant.threads.setSuggestedPrompts({ ...where, prompts }))
      return
    }
    const recent = await recentQuestions?.of({ platform: 'slack', workspace: self.team, user: visit.user }).catch(() => [])
    const shown = { recent: recent ?? [], examples, botName: self.name ?? 'Clew', teamUrl: self.url }
    const view = homeView(shown, words)
    await callSlack(client, signal, slack => slack.views.publish({ user_id: visit.user, view }))
  } catch (error) {
    client.logger.warn({ to: visit.to, cause: errorMessage(error) }, 'slack visit could not be answered')
  }
}
