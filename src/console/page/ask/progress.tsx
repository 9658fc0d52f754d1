import type { TurnEvent } from '../../../http/turn-events.ts'
import { count, duration } from '../format.ts'
import { Markdown } from '../parts/markdown.tsx'
import { Failure } from '../parts/states.tsx'
import type { Told } from './turn-stream.ts'

interface PlannedQuery {
  readonly question: string
  readonly done?: Extract<TurnEvent, { kind: 'query' }>['data']
  /** The first rows, in Markdown. */
  readonly rows?: string
}

/** What is known of a turn before its end. */
interface Progress {
  readonly isStarted: boolean
  readonly queries: Readonly<Record<string, PlannedQuery>>
  readonly sentences: string
  readonly isDelayed: boolean
  /** Whether the server does not answer now. */
  readonly isAway: boolean
}

export const NO_PROGRESS: Progress = { isStarted: false, queries: {}, sentences: '', isDelayed: false, isAway: false }

/** Takes what is told of a turn into account. */
export function progressAfter(last: Progress, told: Told): Progress {
  if (told.kind === 'away') return { ...last, isAway: true }
  const progress = { ...last, isAway: false }
  const { kind, data } = told
  const { queries } = progress
  if (kind === 'start') return { ...progress, isStarted: true }
  if (kind === 'sentences') return { ...progress, sentences: data.markdown }
  if (kind === 'notice') return { ...progress, isDelayed: !data.is_over }
  const changed = (id: string, news: Partial<PlannedQuery>): Progress => ({
    ...progress,
    queries: { ...queries, [id]: { question: '', ...queries[id], ...news } },
  })
  if (kind === 'query') return changed(data.query, { question: data.question, done: data })
  if (kind === 'rows') return changed(data.query, { rows: data.markdown })
  if (kind !== 'plan') return progress
  if (data.question !== null) return changed(data.query, { question: data.question })
  const { [data.query]: _, ...others } = queries
  return { ...progress, queries: others }
}

/** The steps of a turn as they finish, and the sentences as they are checked. */
export function ProgressView({ progress }: { readonly progress: Progress }) {
  const { isStarted, queries, sentences, isDelayed, isAway } = progress
  const planned = Object.entries(queries).sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
  return (
    <div class="progress" aria-live="polite">
      {planned.map(([id, { question, done, rows }]) => (
        <div key={id} class={done === undefined ? 'working' : done.ok ? 'done' : 'failed'}>
          {question}{' '}
          {done && <small>{`${done.ok ? count(done.row_count, 'row') : 'failed'} · ${duration(done.elapsed_ms)}`}</small>}
          {rows && sentences === '' && <Markdown text={rows} />}
        </div>
      ))}
      {isDelayed && <p class="small">The language model is busy. Clew asks it again.</p>}
      <Markdown text={sentences} />
      {planned.every(([, { done }]) => done !== undefined) && (
        <p class="working">
          {!isStarted ? 'Waiting for a worker' : planned.length === 0 ? 'Looking into it' : 'Writing the answer'} …
        </p>
      )}
      {isAway && <Failure problem="Clew does not answer. The page asks again until it does." />}
    </div>
  )
}
