/** One request as the model's server saw it. Times are Unix time in milliseconds, with fractions. */
export interface LoggedRequest {
  readonly id: number
  /** From the header `x-clew-step` or `x-bench-step`; `loop` without one. */
  readonly step: string
  /** The program, from the header `x-bench-peer`; `clew` without one. */
  readonly peer: string
  readonly scenario: string
  /** The number in the question. */
  readonly n: number
  /** The data question that the SQL is for, from 1. 0 for the question itself, null without SQL. */
  readonly part: number | null
  readonly promptTokens: number
  /** Prompt tokens known from earlier prompts. */
  readonly cachedTokens: number
  /** Tokens of the whole answer. */
  readonly completionTokens: number
  /** The number of tokens after which each part is complete: `element 1`, `sql`, `sentence`. */
  readonly marks: Readonly<Record<string, number>>
  readonly startedAt: number
  /** When the first and the last token were sent. Null if the asker left before. */
  readonly firstTokenAt: number | null
  readonly endedAt: number | null
  /** Tokens sent before the end or before the asker left. */
  readonly sentTokens: number
}
