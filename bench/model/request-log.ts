/** One request, as the model's server saw it. Times are Unix time in milliseconds, with fractions. */
export interface LoggedRequest {
  readonly id: number
  /** The step in the header `x-clew-step` or `x-bench-step`. `loop` if there is none. */
  readonly step: string
  /** The program in the header `x-bench-peer`. `clew` if there is none. */
  readonly peer: string
  readonly scenario: string
  /** The number in the question. */
  readonly n: number
  /** The number of the data question for which the SQL is, from 1. 0 means the question itself. Null: there is no SQL. */
  readonly part: number | null
  readonly promptTokens: number
  /** The tokens of the prompt that earlier prompts began with too. */
  readonly cachedTokens: number
  /** Tokens of the whole answer. */
  readonly completionTokens: number
  /** Each part is complete after this many tokens: `element 1`, `sql`, `sentence`. */
  readonly marks: Readonly<Record<string, number>>
  readonly startedAt: number
  /** The time of the first token. The next field is that of the last one. Null if the asker left before. */
  readonly firstTokenAt: number | null
  readonly endedAt: number | null
  /** The tokens that were sent before the end, or before the asker left. */
  readonly sentTokens: number
}
