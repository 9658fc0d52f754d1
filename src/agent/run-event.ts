import type { Language } from '../words/language.ts'

/** What a surface may show of a run while it is under way. Its Markdown may be made only when it is read, so what is not shown is not read. */
export type RunEvent =
  | { readonly kind: 'step_started'; readonly step: string; readonly query?: string; readonly attempt: number }
  /** The question, made to stand on its own, and its language. */
  | { readonly kind: 'question_understood'; readonly question: string; readonly language: Language }
  | { readonly kind: 'data_question_planned'; readonly id: string; readonly question: string }
  /** The plan was written anew, and does not hold it any more. */
  | { readonly kind: 'data_question_dropped'; readonly id: string }
  | {
      readonly kind: 'query_finished'
      readonly id: string
      readonly question: string
      readonly ok: boolean
      readonly rowCount: number
      readonly elapsedMs: number
      /** Its first rows as a Markdown table, where they say anything. */
      readonly table?: string
    }
  /** It would have cost too much; one that asks for less is written. */
  | { readonly kind: 'query_narrowed'; readonly id: string; readonly why: string }
  /** A job that is repeated for an investigation has come further. */
  | { readonly kind: 'replay_progressed'; readonly line: string }
  /** The answer so far: whole, checked sentences; `markdown` grows. */
  | { readonly kind: 'answer_grown'; readonly markdown: string }

export type RunObserver = (event: RunEvent) => void
