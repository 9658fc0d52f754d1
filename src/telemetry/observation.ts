/**
 * Something that this process did. Metrics, the audit log and the counters of use are all made of observations, so each place that
 * does something reports it once. An observation holds no question, row or secret, except `sql`. Durations are in milliseconds.
 */
export type Observation =
  /** A step of a run has ended. */
  | {
      readonly kind: 'step'
      readonly step: string
      readonly query?: string
      readonly attempt: number
      readonly durationMs: number
      /** The code of the error, or `fault`. Absent if the step succeeded. */
      readonly error?: string
      /** False if the step had started ahead of time and was not needed. */
      readonly isNeeded: boolean
    }
  /** One HTTP request to the model's endpoint has ended. An answer may take several. */
  | {
      readonly kind: 'model_call'
      readonly step: string
      readonly model: string
      /** How the request ended: `answered`, `cancelled`, or the reason why it brought no answer. */
      readonly outcome: string
      /** The HTTP status of a failed request, if there was one. */
      readonly status?: number
      readonly temperature?: number
      readonly inputTokens: number
      /** Those of `inputTokens` that the endpoint had in its cache. Absent if it does not tell. */
      readonly cachedTokens?: number
      readonly outputTokens: number
      /** Whether the tokens are estimated, because the endpoint reported none. */
      readonly isEstimated: boolean
      /** In US dollars. Absent if the prices of the model are unknown. */
      readonly cost?: number
      readonly durationMs: number
    }
  /** A query of a data source has ended. */
  | {
      readonly kind: 'query'
      readonly source: string
      readonly sql: string
      /** `ok`, or the kind of the error. */
      readonly outcome: string
      readonly rows: number
      readonly rowsRead: number
      readonly bytesRead: number
      readonly durationMs: number
    }
  /** The guard has judged a model's SQL. `verdict` is `allow` or the code of the refusal. */
  | { readonly kind: 'guard'; readonly source: string; readonly verdict: string }
  /** A message has got its reply. The duration counts from the moment at which the message was accepted. */
  | {
      readonly kind: 'answer'
      readonly outcome: 'answered' | 'asked_back' | 'refused' | 'failed' | 'stopped'
      /** The code of the error, if it failed. */
      readonly error?: string
      readonly confidence?: string
      readonly sentences: number
      readonly unverifiedSentences: number
      readonly durationMs: number
    }
  /** A request to a chat platform has ended. */
  | {
      readonly kind: 'delivery'
      readonly platform: string
      readonly request: string
      /** `ok`, or the kind of the error. */
      readonly outcome: string
      readonly durationMs: number
    }
  /** The cache `schema` (names and types of tables) or `people` (groups and members) was asked. */
  | { readonly kind: 'cache'; readonly cache: string; readonly isHit: boolean }
  /** A person's press on a button was `answered`, has `failed`, or has `crashed` its process. */
  | { readonly kind: 'press'; readonly platform: string; readonly action: string; readonly outcome: string }
  /** Somebody's rights were decided. `decision` is `allowed` or the reason of the refusal. */
  | { readonly kind: 'access'; readonly platform: string; readonly decision: string }
  /** A token of `clew serve` was made, revoked, used or refused, or its person has signed in to the console. `token` is its id, or empty if it is unknown. */
  | { readonly kind: 'token'; readonly token: string; readonly outcome: string }
  /** A pipeline's job was replayed. `job` is the id of the run that was repeated. */
  | { readonly kind: 'replay'; readonly job: string; readonly outcome: string; readonly durationMs: number }
  /** The draft of a pipeline was `shown`, `revised`, `handed_over`, or `failed`. */
  | { readonly kind: 'draft'; readonly outcome: string }

export type ObservationOf<Kind extends Observation['kind']> = Extract<Observation, { readonly kind: Kind }>

/**
 * Takes an observation. Never throws, and returns at once. `subjectAtHand` (`base/watched-work.ts`) tells for whom the work was
 * done, if it is called before the function returns.
 */
export type Observe = (observation: Observation) => void

/** Passes each observation to all who watch. Parts of a process watch for as long as the process runs. */
export class Observers {
  readonly #watching: Observe[] = []

  add(observe: Observe): void {
    this.#watching.push(observe)
  }

  readonly observe: Observe = observation => {
    for (const observe of this.#watching) observe(observation)
  }
}
