import type { Language } from '../../words/language.ts'

/** A run's events for surfaces. A getter may compute the Markdown, so that unshown Markdown costs nothing. */
export type RunEvent =
  | { readonly kind: 'step_started'; readonly step: string; readonly query?: string; readonly attempt: number }
  /** The question, rewritten to stand on its own, and its language. */
  | { readonly kind: 'question_understood'; readonly question: string; readonly language: Language }
  | { readonly kind: 'data_question_planned'; readonly id: string; readonly question: string }
  /** The plan was rewritten and no longer has it. */
  | { readonly kind: 'data_question_dropped'; readonly id: string }
  | {
      readonly kind: 'query_finished'
      readonly id: string
      readonly question: string
      readonly ok: boolean
      readonly rowCount: number
      readonly elapsedMs: number
      /** Its first rows as a Markdown table, if they are informative. */
      readonly table?: string
    }
  /** It was too expensive, so a narrower one is being written. */
  | { readonly kind: 'query_narrowed'; readonly id: string; readonly why: string }
  | { readonly kind: 'replay_progressed'; readonly line: string }
  /** The growing answer, in whole checked sentences. */
  | { readonly kind: 'answer_grown'; readonly markdown: string }

export type RunObserver = (event: RunEvent) => void
