import type { RunStepJson, ShownResult } from '../../runs-json.ts'
import { duration, money, number } from '../format.ts'
import { Badge } from '../parts/states.tsx'

interface WaterfallProps {
  readonly steps: readonly RunStepJson[]
  readonly queries: ShownResult['queries']
}

interface Bar extends RunStepJson {
  /** Milliseconds after the first step. */
  readonly from: number
  /** Whether it began before the plan said that it is needed. */
  readonly isAhead: boolean
}

/** The steps of a run on one axis of time. Each opens to what went in and came out. */
export function Waterfall({ steps, queries }: WaterfallProps) {
  const bars = barsOf(steps)
  const whole = Math.max(1, ...bars.map(({ from, ms }) => from + ms))
  return (
    <div class="waterfall card">
      <p>
        {longestQuery(steps, whole)} <small>Blue: the model. Green: queries. Grey: Clew itself.</small>
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
                style={{ left: `${(bar.from / whole) * 100}%`, width: `max(2px, ${(bar.ms / whole) * 100}%)` }}
              />
            </span>
            <span class="number">{duration(bar.ms)}</span>
            <span class="number aside">{bar.cost === null ? '' : money(bar.cost)}</span>
            <Marks bar={bar} />
          </summary>
          <Step step={bar} sql={bar.step === 'execute' ? queries.find(({ id }) => id === bar.query)?.sql : undefined} />
        </details>
      ))}
    </div>
  )
}

function barsOf(steps: readonly RunStepJson[]): readonly Bar[] {
  const begun = (step: RunStepJson) => Date.parse(step.started_at)
  const first = Math.min(...steps.map(begun))
  const planned = Math.max(
    first,
    ...steps
      .filter(({ query, error }) => query === null && error === null)
      .filter(isPlanning)
      .map(step => begun(step) + step.ms),
  )
  return [...steps]
    .sort((one, other) => begun(one) - begun(other))
    .map(step => ({ ...step, from: begun(step) - first, isAhead: step.query !== null && begun(step) < planned }))
}

function isPlanning({ step }: RunStepJson): boolean {
  return step === 'classify' || step === 'decompose' || step === 'plan_sources'
}

function kindOf({ error, cancelled, model, step }: RunStepJson): string {
  if (cancelled !== null) return 'cancelled'
  if (error !== null) return 'failed'
  return model !== null ? 'model' : step === 'execute' ? 'query' : ''
}

function longestQuery(steps: readonly RunStepJson[], whole: number): string {
  const [longest] = steps.filter(({ step }) => step === 'execute').sort((one, other) => other.ms - one.ms)
  if (longest === undefined) return 'This run has no query.'
  return `The longest query is ${longest.query}: ${duration(longest.ms)} of ${duration(whole)}, ${Math.round((longest.ms / whole) * 100)} %.`
}

function Marks({ bar: { attempt, error, cancelled, isAhead, requests } }: { readonly bar: Bar }) {
  return (
    <span class="row">
      {attempt > 1 && <Badge tone="fair">attempt {attempt}</Badge>}
      {requests.length > 1 && <Badge tone="fair">{requests.length} requests</Badge>}
      {error !== null && <Badge tone="bad">failed</Badge>}
      {(cancelled !== null || isAhead) && <Badge tone="quiet">ahead of time{cancelled !== null && ', not needed'}</Badge>}
    </span>
  )
}

function Step({ step, sql }: { readonly step: RunStepJson; readonly sql: string | null | undefined }) {
  const { model, tokens_in, tokens_cached, tokens_out, error, cancelled, requests, content } = step
  const cached = tokens_cached === null ? '' : ` (${number(tokens_cached)} cached)`
  const facts = [
    model !== null && `${model}: ${number(tokens_in)}${cached} → ${number(tokens_out)} tokens`,
    cancelled !== null && `Not needed: ${cancelled}`,
    requests.length > 1 &&
      `Requests: ${requests.map(({ outcome, status = '', duration_ms: ms }) => `${outcome} ${status} ${duration(ms)}`).join(', ')}`,
  ]
  return (
    <>
      {facts.filter(Boolean).map(fact => (
        <p key={fact} class="small">
          {fact}
        </p>
      ))}
      {error !== null && <p class="failure">{error}</p>}
      {sql && <pre>{sql}</pre>}
      {content === null
        ? model !== null && <p class="small">Its prompt and reply are not kept, or you may not see them.</p>
        : Object.entries({ Prompt: content.input, Reply: content.output }).map(([name, text]) => (
            <label key={name} class="small">
              {name} <textarea class="sql" readOnly rows={10} value={text} />
            </label>
          ))}
    </>
  )
}
