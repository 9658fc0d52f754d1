/** One request, as the simulated model received it. Times are Unix time in milliseconds, with fractions. */
export interface LoggedRequest {
  readonly id: number
  /** The step from the header `x-clew-step` or `x-bench-step`. `loop` if both are missing. */
  readonly step: string
  /** The program from the header `x-bench-peer`. `clew` if the header is missing. */
  readonly peer: string
  readonly scenario: string
  /** The number in the question's text. */
  readonly n: number
  /** The data question that the requested SQL is for, counted from 1. 0 means the whole question. Null if no SQL was requested. */
  readonly part: number | null
  readonly promptTokens: number
  /** The tokens at the beginning of the prompt that were cached from earlier prompts. */
  readonly cachedTokens: number
  /** The number of tokens in the whole answer. */
  readonly completionTokens: number
  /** The number of tokens after which each part of the answer is complete. The parts are `element 1`, `sql`, `sentence` and so on. */
  readonly marks: Readonly<Record<string, number>>
  readonly startedAt: number
  /** The time of the first token. `endedAt` is the time of the last one. Null if the program disconnected before. */
  readonly firstTokenAt: number | null
  readonly endedAt: number | null
  /** The number of tokens that were sent until the end, or until the program disconnected. */
  readonly sentTokens: number
}
