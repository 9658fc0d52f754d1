import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { RunJson, ShownResult } from '../../runs-json.ts'
import { call } from '../api.ts'
import { Action } from '../parts/controls.tsx'
import { Markdown, type Target } from '../parts/markdown.tsx'
import { useRoving } from '../parts/roving.ts'
import { State } from '../parts/states.tsx'
import { Evidence } from './evidence.tsx'

/** How far an answer can be trusted, and why. */
export function Trust({ confidence, confidence_reason: reason }: Pick<ShownResult, 'confidence' | 'confidence_reason'>) {
  if (confidence === null) return null
  return (
    <div class="trust">
      <State of={confidence} more=" confidence" />
      <Markdown text={reason ?? 'No rule found a reason to doubt it.'} />
    </div>
  )
}

interface AnswerProps {
  readonly run: string
  readonly result: Omit<ShownResult, 'steps'>
  /** Whether the viewer may run its SQL. */
  readonly mayRun: boolean
  /** The buttons and links below it. */
  readonly children: ComponentChildren
}

/** An answer, and beside it where its figures come from. */
export function Answer({ run, result, mayRun, children }: AnswerProps) {
  const [target, point] = useState<Target>()
  const roving = useRoving<HTMLDivElement>('.figure')
  const { answer, queries, figures } = result
  const draw = (of: Target, text: string) => {
    const isPointed = JSON.stringify(of) === JSON.stringify(target)
    const show = (event: Event & { readonly currentTarget: HTMLElement }) => {
      point(of)
      // On a phone, the evidence covers the lower part of the window.
      if (event.type === 'click') event.currentTarget.scrollIntoView({ block: 'nearest' })
    }
    const heard = { onMouseEnter: show, onFocus: show, onClick: show }
    return (
      <button type="button" class={isPointed ? 'figure pointed' : 'figure'} {...heard}>
        {text}
      </button>
    )
  }
  return (
    <div class={queries.length > 0 ? 'answer' : undefined}>
      <div>
        <div {...roving}>
          <Markdown text={answer} figures={figures} draw={draw} />
        </div>
        {result.chart && (
          <img class="chart" src={`/console/api/runs/${run}/chart`} alt={`Chart for: ${result.standalone_question}`} />
        )}
        <div class="row">{children}</div>
      </div>
      {queries.length > 0 && <Evidence {...{ run, queries, figures, target, point, mayRun }} />}
    </div>
  )
}

/** Asks the person whether an answer helped, and what was wrong if it did not. */
export function Feedback({ run, given }: { readonly run: string; readonly given: RunJson['feedback'] }) {
  const [said, setSaid] = useState(given)
  const [reason, setReason] = useState('')
  const give = async (helpful: boolean, why: string | null) => {
    await call(`/console/api/runs/${run}/feedback`, { method: 'POST', body: { helpful, reason: why ?? undefined } })
    setSaid({ helpful, reason: why })
  }
  return (
    <>
      <Action label="Helpful" isOn={said?.helpful === true} work={() => give(true, null)} />
      <Action label="Not helpful" isOn={said?.helpful === false} work={() => give(false, null)} />
      {said?.helpful === false && said.reason === null && (
        <>
          <input
            {...{ 'aria-label': 'What was wrong?', placeholder: 'What was wrong?', maxLength: 1_000, value: reason }}
            onInput={event => setReason(event.currentTarget.value)}
          />
          <Action label="Send" isOff={reason.trim() === ''} work={() => give(false, reason)} />
        </>
      )}
    </>
  )
}

/**
 * Returns what asks something by a path, and opens the thread of the question.
 * @param asked called once the server has the question
 */
export function useAsk(path: string, asked?: () => void) {
  const [, navigate] = useLocation()
  return async (body: object) => {
    const { thread } = await call<{ readonly thread: string }>(path, { method: 'POST', body })
    asked?.()
    navigate(`/ask/${thread}`)
  }
}

/** Asks a question again. */
export function AskAgain({ run, asked }: { readonly run: string; asked?(): void }) {
  const again = useAsk(`/console/api/runs/${run}/retry`, asked)
  return <Action label="Ask again" work={() => again({})} />
}
