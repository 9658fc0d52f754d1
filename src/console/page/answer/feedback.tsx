import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { RunJson } from '../../runs-json.ts'
import { call, useAction } from '../api.ts'
import { Failure } from '../parts/states.tsx'

/** Asks the person whether an answer helped, and what was wrong if it did not. */
export function Feedback({ run, given }: { readonly run: string; readonly given: RunJson['feedback'] }) {
  const [helpful, setHelpful] = useState(given?.helpful)
  const [isSaid, setSaid] = useState(given !== null)
  const { act, problem } = useAction()
  const give = (value: boolean, reason?: string) =>
    act(async () => {
      await call(`/console/api/runs/${run}/feedback`, { method: 'POST', body: { helpful: value, reason } })
      setHelpful(value)
      setSaid(value || reason !== undefined)
    })
  const sendReason = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    give(false, String(new FormData(event.currentTarget).get('reason')))
  }
  return (
    <>
      <button type="button" aria-pressed={helpful === true} onClick={() => give(true)}>
        Helpful
      </button>
      <button type="button" aria-pressed={helpful === false} onClick={() => give(false)}>
        Not helpful
      </button>
      {helpful === false && !isSaid && (
        <form class="row" onSubmit={sendReason}>
          <input name="reason" aria-label="What was wrong?" placeholder="What was wrong?" maxLength={1_000} required />
          <button type="submit">Send</button>
        </form>
      )}
      {problem && <Failure problem={problem} />}
    </>
  )
}

/** Asks a question again, and opens its thread. */
export function AskAgain({ run, asked }: { readonly run: string; asked?(): void }) {
  const [, navigate] = useLocation()
  const { act, isBusy, problem } = useAction()
  const again = async () => {
    const { thread } = await call<{ readonly thread: string }>(`/console/api/runs/${run}/retry`, { method: 'POST', body: {} })
    navigate(`~/ask/${thread}`)
    asked?.()
  }
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => act(again)}>
        Ask again
      </button>
      {problem && <Failure problem={problem} />}
    </>
  )
}
