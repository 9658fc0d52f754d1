import type { RunStepJson, ShownResult } from '../../runs-json.ts'
import { duration, money, number } from '../format.ts'
import { Badge } from '../parts/states.tsx'

type Queries = ShownResult['queries']

interface Bar extends RunStepJson {
  /** Milliseconds after the first step. */
  readonly from: number
  /** Whether it began before the plan said that it is needed. */
  readonly isAhead: boolean
  /** Whether its query ran all the same: a check that takes too long is left out. */
  readonly isLeftOut: boolean
  /** The query that it ran, or that never ran because its source was away. */
  readonly ran: Queries[number] | undefined
}

/** The steps of a run on one axis of time. Each opens to what went in and came out. */
export function Waterfall({ steps, queries }: { readonly steps: readonly RunStepJson[]; readonly queries: Queries }) {
  const bars = barsOf(steps, queries)
  const whole = Math.max(1, ...bars.map(({ from, ms }) => from + ms))
  return (
    <div class="waterfall card">
      <p>
        {longestQuery(bars, whole)} <small>Blue: the model. Green: queries. Grey: Clew itself. Red: failed.</small>
      </p>
      {bars.map((bar, at) => (
        <details key={at}>
          <summary>
            <span class="name">
              {bar.step.replaceAll('_', ' ')} {bar.query}
            </span>
            <span class="track">
              <span
                class={`bar ${kindOf(bar)}`}
                style={{ left: `${(bar.from / whole) * 100}%`, width: `max(3px, ${(bar.ms / whole) * 100}%)` }}
              />
            </span>
            <span class="number">{duration(bar.ms)}</span>
            <span class="number aside">{bar.cost === null ? '' : money(bar.cost)}</span>
            <Marks bar={bar} />
          </summary>
          <Step bar={bar} />
        </details>
      ))}
    </div>
  )
}

const NO_STEP = {
  attempt: 1,
  ms: 0,
  cancelled: null,
  model: null,
  tokens_in: null,
  tokens_out: null,
  tokens_cached: null,
} as const

function barsOf(steps: readonly RunStepJson[], queries: Queries): readonly Bar[] {
  const begun = (step: RunStepJson) => Date.parse(step.started_at)
  const first = Math.min(...steps.map(begun))
  const isPlan = ({ step, query, error }: RunStepJson) =>
    query === null && error === null && ['classify', 'decompose', 'plan_sources'].includes(step)
  const planned = Math.max(first, ...steps.filter(isPlan).map(step => begun(step) + step.ms))
  const isRun = (other: RunStepJson, { query, attempt }: RunStepJson) =>
    other.step === 'execute' && other.query === query && other.attempt === attempt && other.error === null
  const never = queries
    .filter(({ id, error }) => error !== null && !steps.some(step => step.query === id && step.error !== null))
    .map(({ id, error }) => ({
      ...{ ...NO_STEP, id, step: 'query', query: id, started_at: new Date(planned).toISOString() },
      ...{ error, cost: null, requests: [], content: null },
    }))
  return [...steps, ...(steps.length > 0 ? never : [])]
    .sort((one, other) => begun(one) - begun(other))
    .map(step => ({
      ...step,
      from: begun(step) - first,
      isAhead: step.query !== null && begun(step) < planned,
      isLeftOut: step.step === 'validate' && step.error !== null && steps.some(other => isRun(other, step)),
      ran: step.step === 'execute' ? queries.find(({ id }) => id === step.query) : undefined,
    }))
}

function isQuery({ step, query }: RunStepJson): boolean {
  return step === 'execute' || query?.startsWith('query_table') === true
}

function kindOf(bar: Bar): string {
  if (bar.cancelled !== null || bar.isLeftOut) return 'cancelled'
  if (bar.error !== null) return 'failed'
  return bar.model !== null ? 'model' : isQuery(bar) ? 'query' : ''
}

function longestQuery(bars: readonly Bar[], whole: number): string {
  const [longest] = bars.filter(isQuery).sort((one, other) => other.ms - one.ms)
  if (longest === undefined) return 'This run has no query.'
  return `The longest query is ${longest.query}: ${duration(longest.ms)} with waiting, of ${duration(whole)}: ${Math.round((longest.ms / whole) * 100)} %.`
}

function Marks({ bar }: { readonly bar: Bar }) {
  const { attempt, error, cancelled, isAhead, isLeftOut, requests, ran, ms } = bar
  const waited = ran === undefined || error !== null ? 0 : ms - ran.elapsed_ms
  return (
    <span class="row">
      {ran && waited >= 1 && (
        <small title="It waits for its turn and its check.">{`ran ${duration(ran.elapsed_ms)}, waited ${duration(waited)}`}</small>
      )}
      {attempt > 1 && <Badge tone="fair">attempt {attempt}</Badge>}
      {requests.length > 1 && <Badge tone="fair">{requests.length} requests</Badge>}
      {error !== null && <Badge tone={isLeftOut ? 'quiet' : 'bad'}>{isLeftOut ? 'left out' : 'failed'}</Badge>}
      {(cancelled !== null || isAhead) && <Badge tone="quiet">ahead of time{cancelled !== null && ', not needed'}</Badge>}
    </span>
  )
}

function Step({ bar }: { readonly bar: Bar }) {
  const { model, tokens_in, tokens_cached, tokens_out, error, cancelled, requests, content, ran } = bar
  const cached = tokens_cached === null ? '' : ` (${number(tokens_cached)} cached)`
  const facts = [
    model !== null && `${model}: ${number(tokens_in)}${cached} → ${number(tokens_out)} tokens`,
    cancelled !== null && `Not needed: ${cancelled}`,
    requests.length > 1 &&
      `Requests: ${requests.map(({ outcome, status = '', duration_ms: ms }) => `${outcome} ${status} ${duration(ms)}`).join(', ')}`,
    content === null && model !== null && 'Its prompt and reply are not kept, or you may not see them.',
  ]
  return (
    <>
      {facts.map(fact => fact && <p class="small">{fact}</p>)}
      {error !== null && <p class="failure">{error}</p>}
      {ran?.sql && <pre>{ran.sql}</pre>}
      {content !== null &&
        Object.entries({ Prompt: content.input, Reply: content.output }).map(([name, text]) => (
          <label key={name} class="small">
            {name} <textarea class="sql" readOnly rows={10} value={text} />
          </label>
        ))}
    </>
  )
}
