import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { RunJson } from '../../runs-json.ts'
import { call } from '../api.ts'
import { Action } from '../parts/action.tsx'

/** Asks the person whether an answer helped, and what was wrong if it did not. */
export function Feedback({ run, given }: { readonly run: string; readonly given: RunJson['feedback'] }) {
  const [helpful, setHelpful] = useState(given?.helpful)
  const [isSaid, setSaid] = useState(given !== null)
  const [reason, setReason] = useState('')
  const give = async (value: boolean, why?: string) => {
    await call(`/console/api/runs/${run}/feedback`, { method: 'POST', body: { helpful: value, reason: why } })
    setHelpful(value)
    setSaid(value || why !== undefined)
  }
  return (
    <>
      <Action label="Helpful" isOn={helpful === true} work={() => give(true)} />
      <Action label="Not helpful" isOn={helpful === false} work={() => give(false)} />
      {helpful === false && !isSaid && (
        <>
          <input
            aria-label="What was wrong?"
            placeholder="What was wrong?"
            maxLength={1_000}
            value={reason}
            onInput={event => setReason(event.currentTarget.value)}
          />
          <Action label="Send" isOff={reason.trim() === ''} work={() => give(false, reason)} />
        </>
      )}
    </>
  )
}

/** Asks a question again, and opens its thread. */
export function AskAgain({ run, asked }: { readonly run: string; asked?(): void }) {
  const [, navigate] = useLocation()
  const again = async () => {
    const { thread } = await call<{ readonly thread: string }>(`/console/api/runs/${run}/retry`, { method: 'POST', body: {} })
    navigate(`~/ask/${thread}`)
    asked?.()
  }
  return <Action label="Ask again" work={again} />
}
