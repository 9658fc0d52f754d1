import type { RunStepJson, ShownResult } from '../../runs-json.ts'
import { duration, money, number, percent, words } from '../format.ts'
import { Badge } from '../parts/states.tsx'

type Queries = ShownResult['queries']

type Bar = ReturnType<typeof barsOf>[number]

/** The steps of a run on one axis of time. Each opens to what went in and came out. */
export function Waterfall({ steps, queries }: { readonly steps: readonly RunStepJson[]; readonly queries: Queries }) {
  const bars = barsOf(steps, queries)
  const whole = Math.max(1, ...bars.map(({ from, ms }) => from + ms))
  return (
    <div class="waterfall card">
      <p>
        {longestQuery(bars, whole)} <small>Blue: the model. Green: queries. Grey: Clew itself. Red: failed.</small>
      </p>
      {bars.map(bar => (
        <details key={bar.id}>
          <summary>
            <span class="name">
              {words(bar.step)} {bar.query}
            </span>
            <span class="track">
              <span
                class={`bar ${kindOf(bar)}`}
                style={{ left: `${(bar.from / whole) * 100}%`, width: `max(3px, ${(bar.ms / whole) * 100}%)` }}
              />
            </span>
            <span class="number">{duration(bar.ms)}</span>
            <span class="number aside">{bar.cost !== null && money(bar.cost)}</span>
            <Marks {...bar} />
          </summary>
          <Step {...bar} />
        </details>
      ))}
    </div>
  )
}

function barsOf(steps: readonly RunStepJson[], queries: Queries) {
  const begun = (step: RunStepJson) => Date.parse(step.started_at)
  const first = Math.min(...steps.map(begun))
  const isPlan = ({ step, query, error }: RunStepJson) =>
    query === null && error === null && ['classify', 'decompose', 'plan_sources'].includes(step)
  const planned = Math.max(first, ...steps.filter(isPlan).map(step => begun(step) + step.ms))
  const isRun = (other: RunStepJson, { query, attempt }: RunStepJson) =>
    other.step === 'execute' && other.query === query && other.attempt === attempt && other.error === null
  return steps
    .toSorted((one, other) => begun(one) - begun(other))
    .map(step => ({
      ...step,
      ...executed(step, queries),
      /** Milliseconds after the first step. */
      from: begun(step) - first,
      /** It began before the plan said that it is needed. */
      isAhead: step.query !== null && begun(step) < planned,
      /** Its query ran all the same: a check that takes too long is left out. */
      isLeftOut: step.step === 'validate' && step.error !== null && steps.some(other => isRun(other, step)),
      isQuery: step.step === 'execute' || step.query?.startsWith('query_table') === true,
    }))
}

/** Returns the SQL that a step has executed, and how long it ran if its rows are the query's. */
function executed({ step, query: id, attempt, error }: RunStepJson, queries: Queries) {
  const query = step === 'execute' ? queries.find(each => each.id === id) : undefined
  const sql = query?.failed_attempts[attempt - 1]?.sql ?? query?.sql
  return { sql, ranMs: error === null && query?.error === null && sql === query.sql ? query.elapsed_ms : undefined }
}

function kindOf({ cancelled, isLeftOut, error, model, isQuery }: Bar): string {
  if (cancelled !== null || isLeftOut) return 'cancelled'
  if (error !== null) return 'failed'
  return model !== null ? 'model' : isQuery ? 'query' : ''
}

function longestQuery(bars: readonly Bar[], whole: number): string {
  const [longest] = bars.filter(({ isQuery }) => isQuery).sort((one, other) => other.ms - one.ms)
  if (longest === undefined) return 'This run has no query.'
  return `The longest query is ${longest.query}: ${duration(longest.ms)} with waiting, of ${duration(whole)}: ${percent(longest.ms / whole)}.`
}

function Marks({ attempt, error, cancelled, isAhead, isLeftOut, requests, ranMs, ms }: Bar) {
  return (
    <span class="row">
      {ranMs !== undefined && ms - ranMs >= 1 && (
        <small title="It waits for its turn and its check.">{`ran ${duration(ranMs)}, waited ${duration(ms - ranMs)}`}</small>
      )}
      {attempt > 1 && <Badge tone="fair" text={`attempt ${attempt}`} />}
      {requests.length > 1 && <Badge tone="fair" text={`${requests.length} requests`} />}
      {error !== null && <Badge tone={isLeftOut ? 'quiet' : 'bad'} text={isLeftOut ? 'left out' : 'failed'} />}
      {(cancelled !== null || isAhead) && (
        <Badge tone="quiet" text={`ahead of time${cancelled === null ? '' : ', not needed'}`} />
      )}
    </span>
  )
}

function Step({ model, tokens_in, tokens_cached, tokens_out, error, cancelled, requests, content, sql }: Bar) {
  const cached = tokens_cached === null ? '' : ` (${number(tokens_cached)} cached)`
  const tries = requests.map(({ outcome, status = '', duration_ms: ms }) => `${outcome} ${status} ${duration(ms)}`)
  const facts = [
    model !== null && `${model}: ${number(tokens_in)}${cached} → ${number(tokens_out)} tokens`,
    cancelled !== null && `Not needed: ${cancelled}`,
    tries.length > 1 && `Requests: ${tries.join(', ')}`,
    content === null && model !== null && 'Its prompt and reply are not kept, or you may not see them.',
  ]
  return (
    <>
      {facts.map(fact => fact && <p class="small">{fact}</p>)}
      {error !== null && <p class="failure">{error}</p>}
      {sql && <pre>{sql}</pre>}
      {content !== null &&
        Object.entries({ Prompt: content.input, Reply: content.output }).map(([name, text]) => (
          <label key={name} class="small">
            {name} <textarea class="sql" readOnly rows={10} value={text} />
          </label>
        ))}
    </>
  )
}
