import type { Analyst, AnalystAnswer, Question } from './analyst.ts'
import type { LineageAnalyst } from './lineage/lineage-analyst.ts'

/** Everything that can be asked in a thread: about data, or about the run of a pipeline. */
export class ThreadAnalyst implements Pick<Analyst, 'ask'> {
  readonly #deps: { readonly analyst: Pick<Analyst, 'ask'>; readonly lineage: Pick<LineageAnalyst, 'understand' | 'ask'> }

  constructor(deps: { readonly analyst: Pick<Analyst, 'ask'>; readonly lineage: Pick<LineageAnalyst, 'understand' | 'ask'> }) {
    this.#deps = deps
  }

  async ask(question: Question, signal: AbortSignal): Promise<AnalystAnswer> {
    const { analyst, lineage } = this.#deps
    const understood = await lineage.understand(question, signal)
    return understood === undefined ? analyst.ask(question, signal) : lineage.ask(question, understood, signal)
  }
}
