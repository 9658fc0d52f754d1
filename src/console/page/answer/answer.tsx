import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { RunJson, ShownResult } from '../../runs-json.ts'
import { call } from '../api.ts'
import { Action, useAddress } from '../parts/controls.tsx'
import { Markdown, type Target } from '../parts/markdown.tsx'
import { useRoving } from '../parts/roving.ts'
import { Badge, State } from '../parts/states.tsx'
import { Evidence, Source } from './evidence.tsx'

/** How far an answer can be trusted, and why. */
export function Trust({ confidence, confidence_reason: reason, citations }: TrustProps) {
  if (confidence === null) return null
  const checked = `Figures checked, wording ${citations?.read ? 'read' : 'not read'}`
  return (
    <div class="trust">
      {reason === null ? <Badge tone="good" text={checked} /> : <State of={confidence} more=" confidence" />}
      <Markdown text={reason ?? ''} />
    </div>
  )
}

type TrustProps = Pick<ShownResult, 'confidence' | 'confidence_reason' | 'citations'>

interface AnswerProps {
  readonly run: string
  readonly result: Omit<ShownResult, 'steps'>
  /** Whether the viewer may run its SQL. */
  readonly mayRun: boolean
  /** The buttons and links below it. */
  readonly children: ComponentChildren
}

/** An answer. Pointing at a figure tells where it comes from, and pressing it opens the queries beside it. */
export function Answer({ run, result, mayRun, children }: AnswerProps) {
  const [target, point] = useState<Target>()
  const [place, setPlace] = useState<JSX.CSSProperties>({})
  // The address knows it, so that one answer at a time has its queries beside it.
  const [{ evidence }, change] = useAddress()
  const roving = useRoving<HTMLDivElement>('.figure, .key')
  const { answer, note, queries, figures } = result
  const isOpen = evidence === run && queries.length > 0
  const open = (isWanted: boolean) => change({ evidence: isWanted ? run : undefined }, { replace: true })
  useEffect(() => {
    if (!isOpen) point(undefined)
  }, [isOpen])
  const draw = (of: Target, text: ComponentChildren) => {
    const isPointed = JSON.stringify(of) === JSON.stringify(target)
    const show = ({ currentTarget: figure }: { readonly currentTarget: HTMLElement }) => {
      point(of)
      setPlace(placeBeside(figure, roving.ref.current ?? figure))
    }
    const leave = () => isOpen || point(undefined)
    const press = ({ currentTarget: figure }: { readonly currentTarget: HTMLElement }) => {
      point(of)
      open(true)
      // The lines of the answer break anew, and on a phone the queries cover the lower part of the window.
      requestAnimationFrame(() => figure.scrollIntoView({ block: 'nearest' }))
    }
    const heard = { onMouseEnter: show, onFocus: show, onMouseLeave: leave, onBlur: leave, onClick: press }
    return (
      <button type="button" class={isPointed ? 'figure pointed' : 'figure'} {...heard}>
        {text}
      </button>
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      point(undefined)
      open(false)
    }
    roving.onKeyDown(event)
  }
  return (
    <div class={isOpen ? 'answer open' : 'answer'}>
      <div>
        <div class="told" {...roving} {...{ onKeyDown }}>
          <Markdown {...{ text: answer, note, figures, draw }} />
          {target && !isOpen && <Source {...{ target, queries, figures, place }} />}
        </div>
        {result.chart && (
          <img class="chart" src={`/console/api/runs/${run}/chart`} alt={`Chart for: ${result.standalone_question}`} />
        )}
        <div class="row">
          {queries.length > 0 && <Action label={isOpen ? 'Hide SQL' : 'Show SQL'} work={() => open(!isOpen)} />}
          {children}
        </div>
      </div>
      {isOpen && <Evidence {...{ run, answer, queries, figures, target, close: () => open(false), mayRun }} />}
    </div>
  )
}

/** The place below a figure in its box, or above one that stands low in the window. */
function placeBeside(figure: HTMLElement, box: HTMLElement): JSX.CSSProperties {
  const [at, around] = [figure.getBoundingClientRect(), box.getBoundingClientRect()]
  const left = `max(0px, min(${at.left - around.left}px, 100% - 360px))`
  const isLow = at.bottom > innerHeight * 0.7
  return isLow ? { left, bottom: `${around.bottom - at.top}px` } : { left, top: `${at.bottom - around.top}px` }
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
