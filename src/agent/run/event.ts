import type { Language } from '../../words/language.ts'

/** The events of a run, for surfaces. `markdown` may be a getter, so that the text is computed only if somebody reads it. */
export type RunEvent =
  | { readonly kind: 'step_started'; readonly step: string; readonly query?: string; readonly attempt: number }
  /** The message was understood. `question` is the message rewritten to stand on its own. */
  | { readonly kind: 'question_understood'; readonly question: string; readonly language: Language }
  | { readonly kind: 'data_question_planned'; readonly id: string; readonly question: string }
  /** The plan was rewritten and no longer contains this data question. */
  | { readonly kind: 'data_question_dropped'; readonly id: string }
  | {
      readonly kind: 'query_finished'
      readonly id: string
      readonly question: string
      readonly ok: boolean
      readonly rowCount: number
      readonly elapsedMs: number
      /** The first rows as a Markdown table. Absent if there is nothing worth showing. */
      readonly table?: string
    }
  /** The query was too expensive, so a narrower one is being written. */
  | { readonly kind: 'query_narrowed'; readonly id: string; readonly why: string }
  /** The model is busy, and Clew asks it again after a pause. `isBusy` is false once the model goes on. Each occurs once at most. */
  | { readonly kind: 'model_busy'; readonly isBusy: boolean }
  | { readonly kind: 'replay_progressed'; readonly line: string }
  /**
   * The answer has grown. `markdown` is the whole answer so far, in checked sentences. For the draft of a pipeline, it is the SQL
   * that the model has written so far, before any check.
   */
  | { readonly kind: 'answer_grown'; readonly markdown: string }

export type RunObserver = (event: RunEvent) => void
