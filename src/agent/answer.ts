import type { FigureSource } from '../answer-check/workings/figure-source.ts'
import type { Chart } from '../charts/chart.ts'
import { type Interrupt, InterruptError, interruptMarkdown, type WaitingStep } from './ask-back/interrupt.ts'
import type { PipelineDraft } from './draft/pipeline-draft.ts'
import type { Doubt } from './notes/confidence.ts'
import type { CitationReport, QueryReport } from './run/result.ts'

/** The answer to a message, before its texts are made safe. */
export interface Answer {
  readonly markdown: string
  /** Clew's question to the person. If it is set, the run has no answer yet. */
  readonly interrupt: Interrupt | null
  /** The steps that wait for the person's answer. */
  readonly waiting: readonly WaitingStep[]
  /** The message as the classify step rewrote it. Absent if the step did not change it. */
  readonly question?: string
  readonly queries: readonly QueryReport[]
  /** The work gate of a due run, if it has one. */
  readonly gate?: QueryReport
  readonly chart: Chart | null
  /** Null if no query ran, or if no model could put the results into words. */
  readonly citations: CitationReport | null
  readonly figures: readonly FigureSource[]
  readonly doubts: readonly Doubt[]
  /** Sentences that the program adds below the answer. */
  readonly note: string
  /** The table that the answer describes. In the next question, "it" refers to this table. */
  readonly activeTable: string | null
  /** The pipeline that the run has drafted. */
  readonly draft: PipelineDraft | null
}

/**
 * Returns Clew's question to the person as the run's answer.
 * @throws the error if it is not an InterruptError
 */
export function asked(error: unknown): Answer {
  if (!(error instanceof InterruptError)) throw error
  const { interrupt, steps } = error
  return { ...inWords(interruptMarkdown(interrupt)), interrupt, waiting: steps }
}

/** Returns an answer that has words only. */
export function inWords(markdown: string): Answer {
  return {
    markdown,
    interrupt: null,
    waiting: [],
    queries: [],
    chart: null,
    citations: null,
    figures: [],
    activeTable: null,
    doubts: [],
    note: '',
    draft: null,
  }
}
