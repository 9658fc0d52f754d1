import type { RequestListener } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { subjectAtHand } from '../base/watched-work.ts'
import { METRIC_LIMITS } from './limits.ts'
import type { Observation, ObservationOf, Observe } from './observation.ts'

/** The figures of the waiting messages. Large queues are counted in part. */
export interface QueueFigures {
  readonly threads: number
  readonly messages: number
  /** The age of the oldest message without a reply, in seconds. 0 if none waits. */
  readonly oldestSeconds: number
  /** Threads that a worker answers now. They count as waiting too. */
  readonly running: number
  /** Threads that are tried again later, for example because a platform asked to wait. */
  readonly delayed: number
  readonly deadLetters: number
}

export interface MetricsDeps {
  /** Returns Clew's reaction to a kind of query error. */
  readonly routeOf: (kind: string) => string
  /** Returns the breakers of the process by their parts. */
  readonly breakers: () => readonly { readonly name: string; readonly state: string }[]
}

export interface Metrics {
  readonly observe: Observe
  /** Serves the metrics. Answers every request. */
  readonly listener: RequestListener
  /** Adds the figures of the queue, which are read for each scrape. */
  watchQueue(read: () => Promise<QueueFigures>): void
}

type Labels = Readonly<Record<string, string>>
type Counting = { readonly [Kind in Observation['kind']]?: (observation: ObservationOf<Kind>) => void }

const BREAKER_STATES = ['closed', 'open', 'half_open']

/** Makes the metrics of this process from its observations, in the form that Prometheus reads. */
export function createMetrics({ routeOf, breakers }: MetricsDeps): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: METRIC_LIMITS.loopPrecisionMs })
  const counting = countingOf(metersOf(registry), routeOf)
  const breakerStates = new Gauge({
    name: 'clew_breaker_state',
    help: '1 for the state in which a breaker is, 0 for the others.',
    labelNames: ['part', 'state'],
    registers: [registry],
  })
  const readings: (() => Promise<void>)[] = []
  const text = sharedFor(METRIC_LIMITS.sharedMs, async () => {
    await Promise.all(readings.map(read => read()))
    for (const { name: part, state } of breakers())
      for (const each of BREAKER_STATES) breakerStates.set({ part, state: each }, each === state ? 1 : 0)
    return registry.metrics()
  })
  return {
    observe: observation => (counting[observation.kind] as Observe | undefined)?.(observation),
    listener: (_request, response) => {
      text().then(
        shown => response.writeHead(200, { 'Content-Type': registry.contentType }).end(shown),
        () => response.writeHead(500).end(),
      )
    },
    watchQueue: read => void readings.push(queueReading(registry, read)),
  }
}

type Meters = ReturnType<typeof metersOf>

function metersOf(registry: Registry) {
  const registers = [registry]
  const bounded = boundedLabels()
  function counter(name: string, help: string, ...labelNames: string[]) {
    const metric = new Counter({ name, help, labelNames, registers })
    return (labels: Labels, value = 1) => metric.inc(bounded(labels), amountOf(value))
  }
  function seconds(name: string, help: string, ...labelNames: string[]) {
    const metric = new Histogram({ name, help, labelNames, buckets: [...METRIC_LIMITS.secondsBuckets], registers })
    return (labels: Labels, durationMs: number) => metric.observe(bounded(labels), amountOf(durationMs) / 1000)
  }
  return {
    answers: counter('clew_answers_total', 'Messages that got a reply.', 'outcome', 'confidence'),
    answerSeconds: seconds('clew_answer_seconds', 'Time from the acceptance of a message to its reply.', 'outcome'),
    answerErrors: counter('clew_answer_errors_total', 'Replies that say why there is no answer.', 'outcome', 'error'),
    sentences: counter('clew_answer_sentences_total', 'Sentences of answers that were checked against rows.'),
    unverified: counter('clew_answer_unverified_sentences_total', 'Checked sentences that the rows do not support.'),
    stepSeconds: seconds('clew_step_seconds', 'Time of an attempt at a step that the run needed.', 'step'),
    stepErrors: counter('clew_step_errors_total', 'Attempts at a step that failed.', 'step', 'error'),
    stepRetries: counter('clew_step_retries_total', 'Further attempts at a step, by the error before.', 'step', 'reason'),
    stepsDropped: counter('clew_steps_dropped_total', 'Steps that began ahead of time and were not needed.', 'step'),
    modelSeconds: seconds('clew_model_call_seconds', 'Time of a request to the endpoint of the model.', 'step', 'model'),
    modelCalls: counter('clew_model_calls_total', 'Requests to the endpoint of the model.', 'model', 'outcome'),
    tokens: counter('clew_model_tokens_total', 'Tokens of requests to the model.', 'step', 'model', 'direction'),
    cachedTokens: counter('clew_model_cached_tokens_total', 'Input tokens that the endpoint had cached.', 'step', 'model'),
    cost: counter('clew_model_cost_dollars_total', 'Cost of requests to models with known prices.', 'step', 'model'),
    querySeconds: seconds('clew_query_seconds', 'Time of a query of a data source.', 'source'),
    queryErrors: counter('clew_query_errors_total', 'Failed queries, by what Clew does then.', 'source', 'kind', 'route'),
    queryRows: counter('clew_query_read_rows_total', 'Rows that a data source read for queries.', 'source'),
    queryBytes: counter('clew_query_read_bytes_total', 'Bytes that a data source read for queries.', 'source'),
    verdicts: counter('clew_guard_verdicts_total', 'Judgements of the SQL guard.', 'source', 'verdict'),
    caches: counter('clew_cache_requests_total', 'Look-ups in a cache.', 'cache', 'result'),
    deliverySeconds: seconds('clew_delivery_seconds', 'Time of a request to a chat platform.', 'platform'),
    deliveries: counter('clew_deliveries_total', 'Requests to a chat platform.', 'platform', 'request', 'outcome'),
    presses: counter('clew_presses_total', 'Presses on buttons.', 'platform', 'action', 'outcome'),
    access: counter('clew_access_decisions_total', 'Decisions about the rights of authors.', 'platform', 'decision'),
    tokenUses: counter('clew_http_tokens_total', 'Tokens of HTTP clients that were used or refused.', 'outcome'),
    replays: counter('clew_replays_total', 'Replays of jobs of pipelines.', 'outcome'),
    drafts: counter('clew_drafts_total', 'Drafts of pipelines.', 'outcome'),
  }
}

function countingOf(meters: Meters, routeOf: MetricsDeps['routeOf']): Counting {
  // Prometheus sees no increase from an absent counter to 1, and an alert needs to see that nothing was answered.
  for (const outcome of ['answered', 'failed']) meters.answers({ outcome, confidence: 'none' }, 0)
  for (const outcome of ['completed', 'failed']) meters.replays({ outcome }, 0)
  for (const outcome of ['shown', 'failed']) meters.drafts({ outcome }, 0)
  const reasonOf = rememberReasons()
  return {
    step(observation) {
      const { step, attempt, durationMs, error, isNeeded } = observation
      if (!isNeeded) return meters.stepsDropped({ step })
      const reason = reasonOf(observation)
      meters.stepSeconds({ step }, durationMs)
      if (error !== undefined) meters.stepErrors({ step, error })
      if (attempt > 1) meters.stepRetries({ step, reason })
    },
    model_call({ step, model, outcome, durationMs, inputTokens, outputTokens, cachedTokens, cost }) {
      meters.modelSeconds({ step, model }, durationMs)
      meters.modelCalls({ model, outcome })
      meters.tokens({ step, model, direction: 'input' }, inputTokens)
      meters.tokens({ step, model, direction: 'output' }, outputTokens)
      if (cachedTokens !== undefined) meters.cachedTokens({ step, model }, cachedTokens)
      if (cost !== undefined) meters.cost({ step, model }, cost)
    },
    query({ source, outcome, rowsRead, bytesRead, durationMs }) {
      meters.querySeconds({ source }, durationMs)
      if (outcome !== 'ok') meters.queryErrors({ source, kind: outcome, route: routeOf(outcome) })
      meters.queryRows({ source }, rowsRead)
      meters.queryBytes({ source }, bytesRead)
    },
    guard: ({ source, verdict }) => meters.verdicts({ source, verdict }),
    answer({ outcome, error, confidence = 'none', durationMs, ...counts }) {
      meters.answers({ outcome, confidence: confidence.toLowerCase() })
      meters.answerSeconds({ outcome }, durationMs)
      if (error !== undefined) meters.answerErrors({ outcome, error })
      meters.sentences({}, counts.sentences)
      meters.unverified({}, counts.unverifiedSentences)
    },
    delivery({ platform, request, outcome, durationMs }) {
      meters.deliveries({ platform, request, outcome })
      meters.deliverySeconds({ platform }, durationMs)
    },
    cache: ({ cache, isHit }) => meters.caches({ cache, result: isHit ? 'hit' : 'miss' }),
    press: ({ platform, action, outcome }) => meters.presses({ platform, action, outcome }),
    access: ({ platform, decision }) => meters.access({ platform, decision }),
    token: ({ outcome }) => meters.tokenUses({ outcome }),
    replay: ({ outcome }) => meters.replays({ outcome }),
    draft: ({ outcome }) => meters.drafts({ outcome }),
  }
}

/** Returns a function that reads the figures of the queue into gauges. */
function queueReading(registry: Registry, read: () => Promise<QueueFigures>): () => Promise<void> {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] })
  const gauges = {
    threads: gauge('clew_waiting_threads', 'Threads with messages that have no reply yet.'),
    messages: gauge('clew_waiting_messages', 'Messages that have no reply yet.'),
    oldestSeconds: gauge('clew_oldest_waiting_message_seconds', 'Age of the oldest message that has no reply yet.'),
    running: gauge('clew_running_threads', 'Threads that a worker answers now.'),
    delayed: gauge('clew_delayed_threads', 'Threads that are tried again later.'),
    deadLetters: gauge('clew_dead_letters', 'Messages that were given up.'),
  } satisfies Record<keyof QueueFigures, Gauge>
  return async () => {
    // While Redis does not answer, the figures are unknown. Old ones would mislead.
    const figures = await read().catch(() => undefined)
    for (const key of ['threads', 'messages', 'oldestSeconds', 'running', 'delayed', 'deadLetters'] as const) {
      if (figures === undefined) gauges[key].remove()
      else gauges[key].set(figures[key])
    }
  }
}

/** Makes a number that a metric accepts. An observer must not throw, and a clock may be set back. */
function amountOf(value: number): number {
  return Number.isFinite(value) ? Math.max(0, value) : 0
}

/** Returns a function that keeps the values of each label to a known number. Further values become `other`. */
function boundedLabels(): (labels: Labels) => Labels {
  const known = new Map<string, Set<string>>()
  function isKnown(label: string, value: string): boolean {
    const values = known.get(label) ?? new Set()
    known.set(label, values)
    if (values.size < METRIC_LIMITS.labelValues) values.add(value)
    return values.has(value)
  }
  return labels => {
    const further = Object.keys(labels).filter(label => !isKnown(label, labels[label] ?? ''))
    return further.length === 0 ? labels : { ...labels, ...Object.fromEntries(further.map(label => [label, 'other'])) }
  }
}

/**
 * Returns a function that remembers the error of an attempt at a run's query, and returns the one of the attempt before. A new
 * attempt at writing SQL is caused by the error of the attempt at running it, which is another step.
 */
function rememberReasons(): (attempted: Pick<ObservationOf<'step'>, 'query' | 'attempt' | 'error'>) => string {
  const errors = new Map<string, string>()
  return ({ query, attempt, error }) => {
    const keyOf = (number: number) => `${subjectAtHand().run} ${query} ${number}`
    if (error !== undefined) errors.set(keyOf(attempt), error)
    const [oldest] = errors.keys()
    if (errors.size > METRIC_LIMITS.reasons && oldest !== undefined) errors.delete(oldest)
    return errors.get(keyOf(attempt - 1)) ?? 'unknown'
  }
}

/** Shares one result among all who ask within some time, so that many scrapes cost as much as one. */
function sharedFor<Value>(forMs: number, make: () => Promise<Value>): () => Promise<Value> {
  let shared: Promise<Value> | undefined
  const forget = () => {
    shared = undefined
  }
  return () => {
    if (shared === undefined) {
      shared = make()
      const forgetLater = () => void setTimeout(forget, forMs).unref()
      shared.then(forgetLater, forgetLater)
    }
    return shared
  }
}
