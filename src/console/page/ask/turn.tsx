import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { TurnSummary } from '../../../http/turn.ts'
import type { TurnEvent } from '../../../http/turn-events.ts'
import { Answer, AskAgain, Feedback, Trust, useAsk } from '../answer/answer.tsx'
import { call, useAction, useSession } from '../api.ts'
import { count, duration, facts } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { followTurn, isOver, type Told, type Turn } from './turn-stream.ts'

/**
 * Questions to ask by a press.
 * @param among a text; only the examples that it names are shown
 */
export function Examples({ among, asked }: { readonly among?: string; asked(): void }) {
  const { examples } = useSession()
  const ask = useAsk('/v1/turns', asked)
  return (
    <div class="examples">
      {examples
        .filter(text => among?.includes(text) !== false)
        .slice(0, 6)
        .map(text => (
          <Action key={text} label={text} work={() => ask({ text })} />
        ))}
    </div>
  )
}

type Data<Kind extends TurnEvent['kind']> = Extract<TurnEvent, { kind: Kind }>['data']

/** The latest events of a turn, those of queries by query. */
interface Progress {
  readonly plan: Readonly<Record<string, Data<'plan'>>>
  readonly query: Readonly<Record<string, Data<'query'>>>
  readonly rows: Readonly<Record<string, Data<'rows'>>>
  readonly start?: null
  readonly sentences?: Data<'sentences'>
  readonly notice?: Data<'notice'>
  /** Whether the server does not answer now. */
  readonly isAway: boolean
}

const NO_PROGRESS: Progress = { plan: {}, query: {}, rows: {}, isAway: false }

/** Takes what is told of a turn into account. */
function progressAfter(last: Progress, told: Told): Progress {
  if (told.kind === 'away') return { ...last, isAway: true }
  const { kind, data } = told
  const isOfQuery = kind === 'plan' || kind === 'query' || kind === 'rows'
  return { ...last, isAway: false, [kind]: isOfQuery ? { ...last[kind], [data.query]: data } : data }
}

/** The steps of a turn as they finish, and the sentences as they are checked. */
function ProgressView({ id, progress }: { readonly id: string; readonly progress: Progress }) {
  const { plan, query, rows, start, notice, sentences, isAway } = progress
  // A question is null if the plan has dropped it.
  const planned = Object.values({ ...plan, ...query }).filter(each => plan[each.query]?.question !== null)
  planned.sort((one, other) => one.query.localeCompare(other.query, 'en', { numeric: true }))
  const next = start === undefined ? 'Waiting for a worker' : planned.length === 0 ? 'Looking into it' : 'Writing the answer'
  return (
    <>
      <div class="progress" aria-live="polite">
        {planned.map(({ query: name, question }) => {
          const done = query[name]
          return (
            <div key={name} class={done === undefined ? 'working' : done.ok ? 'done' : 'failed'}>
              {question}{' '}
              {done && <small>{done.ok ? facts(count(done.row_count, 'row'), duration(done.elapsed_ms)) : 'failed'}</small>}
              {!sentences && <Markdown text={rows[name]?.markdown ?? ''} />}
            </div>
          )
        })}
        {notice?.is_over === false && <p class="small">The language model cannot answer now. Clew asks it again.</p>}
        <Markdown text={sentences?.markdown ?? ''} />
        {planned.every(({ query: name }) => query[name]) && <p class="working">{next} …</p>}
        {isAway && <Failure problem="Clew does not answer. The page asks again until it does." />}
      </div>
      <Action label="Stop" work={() => call(`/v1/turns/${id}`, { method: 'DELETE' })} />
    </>
  )
}

interface TurnProps {
  readonly summary: TurnSummary
  /** Only the last question of a thread can be asked again, and its choices taken. */
  readonly isLast: boolean
  /** Called if the thread has another turn, or one of its turns has ended. */
  changed(): void
}

/** A question, and its answer or how far it is. */
export function TurnView({ summary, isLast, changed }: TurnProps) {
  const { id, text } = summary
  const wasOver = isOver(summary)
  const [turn, setTurn] = useState<Turn>()
  const [progress, setProgress] = useState(NO_PROGRESS)
  const { act, problem } = useAction()
  const article = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isLast) article.current?.scrollIntoView()
  }, [isLast])
  useEffect(() => {
    const left = new AbortController()
    act(async () => {
      setTurn(await followTurn(id, told => setProgress(last => progressAfter(last, told)), left.signal))
      if (!wasOver) changed()
    })
    return () => left.abort()
  }, [id])
  return (
    <article class="turn" ref={article}>
      <h2>{text}</h2>
      {problem && <Failure problem={problem} />}
      {turn && <EndedTurn {...{ turn, isLast, changed }} />}
      {!turn && wasOver && <Empty role="status">Loading …</Empty>}
      {!turn && !wasOver && <ProgressView {...{ id, progress }} />}
    </article>
  )
}

function EndedTurn({ turn, isLast, changed }: Omit<TurnProps, 'summary'> & { readonly turn: Turn }) {
  const { id, thread, status, error, result } = turn
  const ask = useAsk('/v1/turns', changed)
  const again = isLast && <AskAgain run={id} asked={changed} />
  if (result?.interrupt)
    return (
      <>
        <Markdown text={result.interrupt.question} />
        <div class="row">
          {result.interrupt.choices.map(({ label }, index) => (
            <Action key={index} label={label} isOff={!isLast} work={() => ask({ thread, choice: { turn: id, index } })} />
          ))}
        </div>
      </>
    )
  if (result)
    return (
      <Answer run={id} result={{ ...result, chart: result.chart !== null }} mayRun>
        <Trust {...result} />
        <Feedback run={id} given={null} />
        {again}
        <Link href={`/runs/${id}`}>How it was answered</Link>
      </Answer>
    )
  return (
    <>
      {status === 'stopped' && <p class="soft">You stopped this.</p>}
      {status === 'failed' && <Failure problem={error?.message ?? 'There is no answer.'} />}
      {error?.kind === 'model_no_recording' && <Examples among={error.message} asked={changed} />}
      {again}
    </>
  )
}
