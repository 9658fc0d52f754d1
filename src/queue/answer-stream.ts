import { isDeepStrictEqual } from 'node:util'
import { ChatError } from '../bots/chat-error.ts'
import type { ChatOutbox, ChatStreams, ChatTarget, PostedMessage, RenderedPart } from '../bots/chat-platform.ts'
import type { Progress } from '../bots/reply.ts'
import { FIRST, STREAM } from './answer-parts.ts'
import { requestInTime } from './outbox-call.ts'
import { tryToPost } from './post-once.ts'
import type { RunLedger } from './run-ledger.ts'

/**
 * Where a run's answer is shown while it grows: in a message of its own that is streamed and, when that has ended before the answer did, is edited; or not
 * there, but in the placeholder. Nothing depends on it: what is on record as the stream is given the whole answer in the end.
 */
export interface AnswerStream {
  /** Whether the next text is appended, which the platform counts apart from edits. */
  isOpen(): boolean
  /** Whether all further text is for the placeholder. */
  isGivenUp(): boolean
  /**
   * Shows the answer so far. @returns false where it is to be shown in the placeholder
   * @throws ChatError `rate_limited`, `unavailable`; FenceLostError, StoreError
   */
  show(progress: Progress, signal: AbortSignal): Promise<boolean>
}

export interface AnswerStreamDeps {
  readonly outbox: Pick<ChatOutbox, 'find'>
  readonly streams: ChatStreams
  readonly ledger: RunLedger
  readonly target: ChatTarget
  readonly marker: string
  /** Whether one more may be begun now. */
  readonly mayBegin: (signal: AbortSignal) => Promise<boolean>
  /** Shows the answer so far in a message that has been a stream. */
  readonly edit: (posted: PostedMessage, progress: Progress, signal: AbortSignal) => Promise<void>
}

/** What is said in less is there sooner than a stream is begun. */
const LEAST_PARTS = 2

type State =
  | { readonly kind: 'unopened' | 'placeholder' }
  | { readonly kind: 'open'; readonly posted: PostedMessage; readonly sent: readonly RenderedPart[] }
  /** To be ended, and edited from then on. */
  | { readonly kind: 'ending' | 'ended'; readonly posted: PostedMessage }

export function createAnswerStream(deps: AnswerStreamDeps): AnswerStream {
  const { outbox, streams, ledger, target, marker } = deps
  let state: State = { kind: 'unopened' }

  /** A stream is written by whoever has begun it. One that an earlier attempt at the run has begun, or may have, is not gone on with. */
  async function open(parts: readonly RenderedPart[], signal: AbortSignal): Promise<State> {
    const earlier = await ledger.posted(STREAM, signal)
    if (earlier !== undefined) return { kind: 'ending', posted: earlier }
    const mayBegin =
      // It becomes the first part in its stead.
      (await ledger.posted(FIRST, signal)) !== undefined &&
      !(await ledger.wasTried(STREAM, signal)) &&
      (await deps.mayBegin(signal))
    if (!mayBegin) return { kind: 'placeholder' }
    const post: ChatOutbox['post'] = (to, _rendered, mark, request) => streams.begin(to, parts, mark, request)
    try {
      const outcome = await tryToPost(
        { outbox: { find: outbox.find, post }, ledger, target },
        { part: STREAM, marker, rendered: {} },
        signal,
      )
      return 'posted' in outcome ? { kind: 'open', posted: outcome.posted, sent: parts } : { kind: 'placeholder' }
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      return { kind: 'placeholder' }
    }
  }

  async function append(
    open: Extract<State, { kind: 'open' }>,
    parts: readonly RenderedPart[],
    signal: AbortSignal,
  ): Promise<State> {
    const { posted, sent } = open
    // The answer has been begun anew, or what was said reads otherwise now: what stands there cannot be changed while it is a stream.
    if (!isDeepStrictEqual(parts.slice(0, sent.length), sent)) return { kind: 'ending', posted }
    const added = parts.slice(sent.length)
    if (added.length === 0) return open
    await ledger.assertLatest(signal)
    try {
      await requestInTime(request => streams.append(target, posted, added, request), signal)
      return { ...open, sent: parts }
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind === 'rate_limited') throw error
      // It has ended by itself, or what was sent may have arrived and may not: an edit shows the whole.
      return { kind: 'ending', posted }
    }
  }

  async function shown(progress: Progress, signal: AbortSignal): Promise<State> {
    const { answer = '' } = progress
    if (state.kind === 'placeholder') return state
    if (state.kind === 'unopened') {
      const parts = streams.render(answer)
      if (parts.length < LEAST_PARTS) return state
      state = await open(parts, signal)
    } else if (state.kind === 'open') state = await append(state, streams.render(answer), signal)
    if (state.kind === 'ending') {
      const { posted } = state
      await requestInTime(request => streams.end(target, posted, request), signal)
      state = { kind: 'ended', posted }
    }
    if (state.kind === 'ended') await deps.edit(state.posted, progress, signal)
    return state
  }

  return {
    isOpen: () => state.kind === 'open',
    isGivenUp: () => state.kind === 'placeholder',
    async show(progress, signal) {
      try {
        state = await shown(progress, signal)
      } catch (error) {
        if (!(error instanceof ChatError) || error.kind === 'rate_limited' || error.kind === 'unavailable') throw error
        // Somebody has removed it, or it takes nothing.
        state = { kind: 'placeholder' }
      }
      return state.kind !== 'placeholder'
    },
  }
}
