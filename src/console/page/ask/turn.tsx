import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { TurnSummary } from '../../../http/turn.ts'
import { Answer, Trust } from '../answer/answer.tsx'
import { AskAgain, Feedback } from '../answer/feedback.tsx'
import { call, useAction } from '../api.ts'
import { Action } from '../parts/action.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Failure, Spinner } from '../parts/states.tsx'
import { useSession } from '../session.ts'
import { Examples, useAsk } from './examples.tsx'
import { NO_PROGRESS, ProgressView, progressAfter } from './progress.tsx'
import { followTurn, type Turn } from './turn-stream.ts'

interface TurnProps {
  readonly summary: TurnSummary
  /** Only the last question of a thread can be asked again, and its choices taken. */
  readonly isLast: boolean
  /** Called if the thread has another turn, or one of its turns has ended. */
  changed(): void
}

/** A question, and its answer or how far it is. */
export function TurnView({ summary, isLast, changed }: TurnProps) {
  const { id, text, status } = summary
  const isOver = status !== 'queued' && status !== 'running'
  const [turn, setTurn] = useState<Turn>()
  const [progress, setProgress] = useState(NO_PROGRESS)
  const [round, setRound] = useState(0)
  const { act, problem } = useAction()
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isLast) article.current?.scrollIntoView()
  }, [isLast])
  useEffect(() => {
    const left = new AbortController()
    act(async () => {
      const found = isOver
        ? await call<Turn>(`/v1/turns/${id}`, { signal: left.signal })
        : await followTurn(id, event => setProgress(last => progressAfter(last, event)), left.signal)
      setTurn(found)
      if (!isOver) changed()
    })
    return () => left.abort()
  }, [id, round])
  return (
    <article class="turn" ref={article}>
      <h2>{text}</h2>
      {problem && <Failure problem={problem} retry={() => setRound(round + 1)} />}
      {turn !== undefined && <EndedTurn {...{ turn, isLast, changed }} />}
      {turn === undefined && isOver && <Spinner />}
      {turn === undefined && !isOver && (
        <>
          <ProgressView progress={progress} />
          <Action label="Stop" work={() => call(`/v1/turns/${id}`, { method: 'DELETE' })} />
        </>
      )}
    </article>
  )
}

function EndedTurn({ turn, isLast, changed }: Omit<TurnProps, 'summary'> & { readonly turn: Turn }) {
  const { id, status, error, result } = turn
  const { examples } = useSession()
  const { ask, isBusy, problem } = useAsk(changed)
  if (result?.interrupt) return <QuestionBack {...{ turn, isLast, changed }} interrupt={result.interrupt} />
  return (
    <>
      {status === 'stopped' && <p class="soft">You stopped this.</p>}
      {status === 'failed' && <Failure problem={error?.message ?? 'There is no answer.'} />}
      {error?.kind === 'model_no_recording' && <Examples {...{ examples, isBusy, ask }} />}
      {problem && <Failure problem={problem} />}
      {result === null ? (
        isLast && <AskAgain run={id} asked={changed} />
      ) : (
        <Answer run={id} result={{ ...result, chart: result.chart !== null }} mayRun>
          <Trust of={result} />
          <Feedback run={id} given={null} />
          {isLast && <AskAgain run={id} asked={changed} />}
          <Link href={`~/runs/${id}`}>How it was answered</Link>
        </Answer>
      )}
    </>
  )
}

interface QuestionBackProps extends Omit<TurnProps, 'summary'> {
  readonly turn: Turn
  readonly interrupt: NonNullable<NonNullable<Turn['result']>['interrupt']>
}

function QuestionBack({ turn: { id, thread }, interrupt, isLast, changed }: QuestionBackProps) {
  const choose = async (index: number) => {
    await call('/v1/turns', { method: 'POST', body: { thread, choice: { turn: id, index } } })
    changed()
  }
  return (
    <>
      <Markdown text={interrupt.question} />
      <div class="row">
        {interrupt.choices.map(({ label }, index) => (
          <Action key={index} label={label} isOff={!isLast} work={() => choose(index)} />
        ))}
      </div>
    </>
  )
}
