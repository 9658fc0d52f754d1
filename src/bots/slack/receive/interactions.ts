import { createHash } from 'node:crypto'
import type { ModalView } from '@slack/types'
import { doneWithin } from '../../../base/done-within.ts'
import { errorMessage } from '../../../base/errors.ts'
import { withTimeLimit } from '../../../base/with-time-limit.ts'
import { ChatError } from '../../../chat/error.ts'
import type { ChatInbound } from '../../../chat/event.ts'
import type { PersonSettings } from '../../../chat/platform.ts'
import { askerName } from '../../../queue/asker.ts'
import { chatWords } from '../../../words/chat.ts'
import { type Language, languageFor } from '../../../words/language.ts'
import { slackWords } from '../../../words/slack.ts'
import type { Claim, EventDeduplicator } from '../../shared/event-deduplicator.ts'
import type { Tells } from '../../shared/platform-entry.ts'
import { PRESS_FORMS } from '../../shared/press-forms.ts'
import { callSlack, type SlackClientOptions } from '../client.ts'
import { delay } from '../delay.ts'
import { SLACK_LIMITS } from '../limits.ts'
import type { SlackPersonSettings } from '../person-settings.ts'
import { escapeText } from '../text.ts'
import { chatPlaceOf, type SlackIdentity } from './event.ts'
import { FORM_FIELD, formOfPress, questionForm } from './forms.ts'
import { postQuestion, takeBackQuestion } from './question.ts'
import { type AskedQuestion, readInteraction, type SlackInteraction } from './read-interaction.ts'
import { type ResponseUrl, respondAlone } from './response-url.ts'

/** The body of an acknowledgement: a text for the person who used a command, or the errors of a form. */
export type InteractionAnswer =
  | { readonly response_type: 'ephemeral'; readonly text: string }
  | { readonly response_action: 'errors'; readonly errors: { readonly [blockId: string]: string } }

export interface SlackInteractionsOptions {
  readonly client: SlackClientOptions
  readonly self: SlackIdentity
  readonly accept: (event: ChatInbound) => Promise<void>
  readonly personOf: SlackPersonSettings
  /**
   * Prevents duplicate questions from commands and forms. Such a question gets its message id only when Clew posts it, so a
   * second delivery is recognised in another way.
   */
  readonly once: EventDeduplicator
  readonly tells: Tells
  /** Returns the pause before an attempt to accept an event, in milliseconds. The first attempt has the number 0. */
  readonly backoffMs: (attempt: number) => number
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** The time limit for work that a person waits for. */
  readonly responseMs: number
  /** Aborts when the surface has stopped. */
  readonly signal: AbortSignal
}

type Press = Extract<SlackInteraction, { kind: 'press' }>
type Question = Extract<SlackInteraction, { kind: 'question' }>

/** The person who gets a private text, and the place where the person sees it. */
interface Told extends ResponseUrl {
  readonly channel: string
  readonly user: string
  readonly thread?: string
}

/**
 * The person who gets a text from Clew. Its language follows `text`: the person's question, or the answer below which the person
 * pressed.
 */
interface Reader {
  readonly user?: string | undefined
  readonly text?: string | undefined
}

/** Receives presses, commands, shortcuts and forms. Slack sends each of them once and expects an answer within 3 s. */
export class SlackInteractions {
  readonly #options: SlackInteractionsOptions
  readonly #inFlight = new Set<Promise<unknown>>()

  constructor(options: SlackInteractionsOptions) {
    this.#options = options
  }

  /**
   * Handles an interaction.
   * @returns the body of the acknowledgement
   * @throws if the interaction must not be acknowledged; Slack then shows an error to the person
   */
  async receive(payload: unknown): Promise<InteractionAnswer | undefined> {
    const { client, self, now } = this.#options
    const interaction = readInteraction(payload, { self, apiUrl: client.apiUrl, now })
    switch (interaction.kind) {
      case 'question':
        // Each use of the command or form has a new id in its payload. So the digest of the payload identifies the use.
        return this.#takeQuestion(interaction, createHash('sha256').update(JSON.stringify(payload)).digest('hex'))
      case 'press':
        return this.#takePress(interaction)
      case 'shortcut': {
        const { user, triggerId, text, origin } = interaction
        await this.#openForm(triggerId, { user }, language => questionForm(text, origin, language))
        return undefined
      }
      case 'tell':
        return toldAlone(await this.#textFor(interaction))
      case 'refused': {
        const sentence = interaction.sentence(await this.#languageOf({ user: interaction.user }))
        return interaction.by === 'form' ? wrongForm(sentence) : toldAlone(sentence)
      }
      case 'unsupported':
        client.logger.debug({ reason: interaction.reason }, 'slack interaction is not answered')
        if (interaction.responseUrl !== undefined) this.#track(this.#sayNotKnown(interaction, interaction.responseUrl))
        return undefined
    }
  }

  async #textFor({ what, user }: Extract<SlackInteraction, { kind: 'tell' }>): Promise<string> {
    const { tells, self, responseMs, signal } = this.#options
    const language = await this.#languageOf({ user })
    const who = { person: askerName({ platform: 'slack' }, user), workspace: self.team }
    return escapeText(await tells[what](who, language, withTimeLimit(signal, responseMs / 2)))
  }

  /** Waits for work that continues after an acknowledgement. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#inFlight)
  }

  async #takePress({ press, by, opens }: Press): Promise<InteractionAnswer | undefined> {
    const { accept, responseMs } = this.#options
    const accepted = this.#atLast(() => accept({ kind: 'press', press }), responseMs)
    // The form opens while the press is being accepted, because both must happen within 3 s. The press stays accepted even if the
    // person cancels the form.
    const formIn = PRESS_FORMS[press.pressed.action]
    const opened =
      formIn &&
      opens &&
      this.#openForm(opens.triggerId, { user: press.user, text: opens.answer }, language =>
        formOfPress(press.pressed, opens.origin, formIn(language), language),
      )
    try {
      await this.#inTime(accepted)
      return undefined
    } catch (error) {
      const { channel, thread } = press.place
      const told = this.#languageOf(press).then(language => chatWords(language).notAccepted)
      if (by === 'form') return wrongForm(await told)
      this.#track(told.then(text => this.#tell({ channel, thread, user: press.user, ...press.interaction }, text)))
      throw error
    } finally {
      await opened
    }
  }

  async #takeQuestion({ question, by }: Question, id: string): Promise<InteractionAnswer | undefined> {
    const asked = this.#ask(question, this.#options.once.claim(`slack/${id}`))
    if (await doneWithin(this.#options.responseMs, asked)) {
      const problem = await asked
      if (problem === undefined) return undefined
      return by === 'form' ? wrongForm(problem) : toldAlone(`${problem}\n> ${escapeText(question.text).replaceAll('\n', '\n> ')}`)
    }
    // The work takes longer than Slack waits, so the command is acknowledged now. Otherwise Slack would show an error, and would
    // not send the command again. If the work fails, a later message tells the person.
    this.#track(asked.then(async problem => (problem === undefined ? undefined : this.#tell(question, problem))))
    return undefined
  }

  /**
   * Posts a question for everybody, and accepts the post as the asker's message. A second delivery has no effect.
   * @returns undefined on success, or a text about the failure for the asker
   */
  async #ask(question: AskedQuestion, claim: Claim): Promise<string | undefined> {
    const { client, self, now, signal } = this.#options
    try {
      if (!(await this.#atLast(() => claim.isOurs(signal), SLACK_LIMITS.acceptInteractionMs))) return undefined
      const ts = await postQuestion({ client, now }, question, signal)
      const message = {
        place: chatPlaceOf(self, question.channel, question.thread ?? ts),
        messageId: ts,
        order: Number(ts.replace('.', '')),
        author: question.user,
        text: question.text,
        addressed: true,
      }
      try {
        await this.#atLast(() => this.#options.accept({ kind: 'message', message }), SLACK_LIMITS.acceptInteractionMs)
      } catch (error) {
        await takeBackQuestion(client, { channel: question.channel, ts }, signal)
        throw error
      }
      return undefined
    } catch (error) {
      client.logger.error({ cause: errorMessage(error) }, 'a question in slack was not accepted; its author is told')
      // The claim on the question is given up, because the form stays open and the person can try again. If giving it up fails,
      // the log shows this.
      this.#track(claim.release(signal))
      const isOutside = error instanceof ChatError && (error.kind === 'forbidden' || error.kind === 'gone')
      const language = await this.#languageOf(question)
      return isOutside ? slackWords(language).invite(self.name ?? 'Clew') : chatWords(language).notAccepted
    }
  }

  /**
   * Repeats work until it succeeds or the time is over.
   * @throws the error of the last attempt
   */
  async #atLast<T>(work: () => Promise<T>, withinMs: number): Promise<T> {
    const { backoffMs, client, now, signal } = this.#options
    const until = now() + withinMs
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        const pauseMs = Math.min(backoffMs(attempt), SLACK_LIMITS.acceptPauseMs)
        if (now() + pauseMs > until || signal.aborted) throw error
        client.logger.warn({ attempt, cause: errorMessage(error) }, 'a slack interaction was not accepted; trying again')
        await delay(pauseMs, signal)
      }
    }
  }

  /** Opens a form. Never throws: a failure is only logged, because the press is accepted even without its form. */
  async #openForm(triggerId: string, reader: Reader, viewIn: (language: Language) => ModalView): Promise<void> {
    const { client, signal, responseMs } = this.#options
    const limit = withTimeLimit(signal, responseMs)
    try {
      const view = viewIn(await this.#languageOf(reader))
      await callSlack({ ...client, timeoutMs: responseMs }, limit, slack => slack.views.open({ trigger_id: triggerId, view }))
    } catch (error) {
      client.logger.warn({ cause: errorMessage(error) }, 'a form did not open in slack')
    }
  }

  async #sayNotKnown({ user }: Reader, responseUrl: string): Promise<void> {
    await this.#respondAlone(responseUrl, chatWords(await this.#languageOf({ user })).notKnown)
  }

  /** Returns the language of `text` if it is clear. If not, returns the reader's language setting in Slack. Never throws. */
  async #languageOf({ user, text: question = '' }: Reader): Promise<Language> {
    const { personOf, responseMs, signal } = this.#options
    const nobody: PersonSettings = {}
    // The look-up gets half of the time, because the person waits 3 s in total.
    const person = user === undefined ? nobody : await personOf(user, withTimeLimit(signal, responseMs / 2)).catch(() => nobody)
    return languageFor({ question, platform: person.language })
  }

  async #tell({ channel, user, thread, responseUrl }: Told, text: string): Promise<void> {
    if (responseUrl !== undefined) return this.#respondAlone(responseUrl, text)
    const { client, signal } = this.#options
    const where = thread === undefined ? { channel, user } : { channel, user, thread_ts: thread }
    await callSlack(client, signal, slack => slack.chat.postEphemeral({ ...where, text }))
  }

  #respondAlone(responseUrl: string, text: string): Promise<void> {
    const { client, signal } = this.#options
    return respondAlone(responseUrl, text, withTimeLimit(signal, client.timeoutMs))
  }

  /**
   * Waits for work up to the time limit. After a timeout, the work continues.
   * @throws the error that the work threw, or a timeout
   */
  async #inTime(work: Promise<void>): Promise<void> {
    if (await doneWithin(this.#options.responseMs, work)) return
    this.#track(work)
    throw new Error('it took too long')
  }

  /** Remembers work that nobody awaits, so that `settled` can wait for it. */
  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error: unknown) => this.#options.client.logger.warn({ cause: errorMessage(error) }, 'a slack interaction failed'))
      .finally(() => this.#inFlight.delete(tracked))
    this.#inFlight.add(tracked)
  }
}

function toldAlone(text: string): InteractionAnswer {
  return { response_type: 'ephemeral', text }
}

function wrongForm(text: string): InteractionAnswer {
  return { response_action: 'errors', errors: { [FORM_FIELD]: text } }
}
