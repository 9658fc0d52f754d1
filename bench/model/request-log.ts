/** One request as the model's server saw it. Times are Unix time in milliseconds, with fractions. */
export interface LoggedRequest {
  readonly id: number
  /** Of the header `x-clew-step` or `x-bench-step`; `loop` where there was none. */
  readonly step: string
  /** Which program asked, by the header `x-bench-peer`; `clew` where there was none. */
  readonly peer: string
  readonly scenario: string
  /** The number in the question. */
  readonly n: number
  /** Which of the data questions SQL is written for, from 1; 0 for the question itself, null where none is written. */
  readonly part: number | null
  readonly promptTokens: number
  /** Of these, known from earlier prompts. */
  readonly cachedTokens: number
  /** Of the whole answer. */
  readonly completionTokens: number
  /** Of the answer, by when what is named is complete: `element 1`, `sql`, `sentence`. */
  readonly marks: Readonly<Record<string, number>>
  readonly startedAt: number
  /** When the first and the last token were sent; null where the asker left before. */
  readonly firstTokenAt: number | null
  readonly endedAt: number | null
  /** Of the answer, what was sent before its end or before the asker left. */
  readonly sentTokens: number
}
