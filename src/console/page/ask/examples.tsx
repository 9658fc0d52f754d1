import { useLocation } from 'wouter-preact'
import type { TurnSummary } from '../../../http/turn.ts'
import { call, useAction } from '../api.ts'

/**
 * Asks a question and opens its thread.
 * @param asked called once the server has the question
 */
export function useAsk(asked: () => void, thread?: string) {
  const [, navigate] = useLocation()
  const { act, isBusy, problem } = useAction()
  const ask = (text: string) =>
    act(async () => {
      const turn = await call<TurnSummary>('/v1/turns', { method: 'POST', body: { thread, text } })
      asked()
      navigate(`/${turn.thread}`)
    })
  return { ask, isBusy, problem }
}

interface ExamplesProps {
  readonly examples: readonly string[]
  readonly isBusy: boolean
  ask(question: string): void
}

/** Questions to ask by a press. */
export function Examples({ examples, isBusy, ask }: ExamplesProps) {
  return (
    <div class="examples">
      {examples.slice(0, 6).map(example => (
        <button key={example} type="button" disabled={isBusy} onClick={() => ask(example)}>
          {example}
        </button>
      ))}
    </div>
  )
}
