import { isDeepStrictEqual } from 'node:util'
import { ChatError } from '../../chat/error.ts'
import type { ChatOutbox, ChatStreams, ChatTarget, PostedMessage, RenderedPart } from '../../chat/platform.ts'
import type { Progress } from '../../chat/reply.ts'
import { DELIVERY_LIMITS } from '../limits.ts'
import type { ChatDestination } from './chat-destination.ts'
import { requestInTime } from './outbox-call.ts'
import { FIRST_PART, STREAM_PART } from './part-names.ts'
import { tryToPost } from './post-once.ts'
import type { RunLedger } from './run-ledger.ts'

/**
 * Shows a growing answer in a streamed message of its own. If the stream ends early, edits of that message show the rest of the
 * answer. If there is no stream, the placeholder shows the answer. The stream is only a preview. In the end, an edit replaces its
 * text with the final answer.
 */
export interface AnswerStream {
  /** Whether the stream is open. If so, the next text is appended to it. The platform limits appends separately from edits. */
  isOpen(): boolean
  /** Whether this answer is no longer streamed. From then on, the placeholder shows the growing answer. */
  isGivenUp(): boolean
  /**
   * Shows the answer so far.
   * @returns false if the placeholder has to show the answer instead
   * @throws ChatError `rate_limited`, `unavailable`; FenceLostError, StoreError
   */
  show(progress: Progress, signal: AbortSignal): Promise<boolean>
}

export interface AnswerStreamDeps {
  readonly outbox: Pick<ChatOutbox, 'find'>
  readonly untilTurn?: ChatDestination['untilTurn']
  readonly streams: ChatStreams
  readonly ledger: RunLedger
  readonly target: ChatTarget
  readonly marker: string
  /** Whether the workspace may start another stream now. */
  readonly mayBegin: (signal: AbortSignal) => Promise<boolean>
  /** Edits a streamed message after its stream has ended. */
  readonly edit: (posted: PostedMessage, progress: Progress, signal: AbortSignal) => Promise<void>
}

type State =
  | { readonly kind: 'unopened' | 'placeholder' }
  | { readonly kind: 'open'; readonly posted: PostedMessage; readonly sent: readonly RenderedPart[] }
  /** `ending`: the stream must be ended next. `ended`: the stream is over, and edits of its message show further text. */
  | { readonly kind: 'ending' | 'ended'; readonly posted: PostedMessage }

export function createAnswerStream(deps: AnswerStreamDeps): AnswerStream {
  const { outbox, streams, ledger, target, marker } = deps
  let state: State = { kind: 'unopened' }

  /**
   * Opens a stream. Only the process that started a stream can write to it, so a stream from an earlier attempt is not continued.
   */
  async function open(parts: readonly RenderedPart[], signal: AbortSignal): Promise<State> {
    const earlier = await ledger.posted(STREAM_PART, signal)
    if (earlier !== undefined) return { kind: 'ending', posted: earlier }
    const mayBegin =
      // The placeholder must exist, because the streamed message later takes its place.
      (await ledger.posted(FIRST_PART, signal)) !== undefined &&
      !(await ledger.wasTried(STREAM_PART, signal)) &&
      (await deps.mayBegin(signal))
    if (!mayBegin) return { kind: 'placeholder' }
    const post: ChatOutbox['post'] = (to, _rendered, mark, request) => streams.begin(to, parts, mark, request)
    try {
      const outcome = await tryToPost(
        { outbox: { find: outbox.find, post }, ledger, target, untilTurn: deps.untilTurn },
        { part: STREAM_PART, marker, rendered: {} },
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
    // A stream can only grow. If the earlier text has changed, the stream must end.
    if (!isDeepStrictEqual(parts.slice(0, sent.length), sent)) return { kind: 'ending', posted }
    const added = parts.slice(sent.length)
    if (added.length === 0) return open
    await ledger.assertLatest(signal)
    try {
      await requestInTime(request => streams.append(target, posted, added, request), signal)
      return { ...open, sent: parts }
    } catch (error) {
      if (!(error instanceof ChatError) || error.kind === 'rate_limited') throw error
      // Either the stream has ended, or it is unknown whether the text arrived. In both cases, an edit shows the whole text.
      return { kind: 'ending', posted }
    }
  }

  async function shown(progress: Progress, signal: AbortSignal): Promise<State> {
    const { answer = '' } = progress
    if (state.kind === 'placeholder') return state
    if (state.kind === 'unopened') {
      const parts = streams.render(answer)
      if (parts.length < DELIVERY_LIMITS.streamParts) return state
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
        // Somebody has removed the streamed message, or the platform refuses to edit it, so the placeholder shows the answer.
        state = { kind: 'placeholder' }
      }
      return state.kind !== 'placeholder'
    },
  }
}
