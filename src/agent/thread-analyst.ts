import type { Language } from '../words/language.ts'
import type { Analyst, AnalystAnswer, Question } from './analyst.ts'
import type { LineageAnalyst, StoredRequest } from './lineage/analyst.ts'
import { checkLength } from './run/question-size.ts'

interface ThreadAnalystDeps {
  readonly analyst: Pick<Analyst, 'ask' | 'languageOf' | 'remember'>
  readonly lineage: Pick<LineageAnalyst, 'understand' | 'underWay' | 'ask'>
}

/**
 * Answers each message of a thread, whether it is about data or about a pipeline's run. In a thread with an investigation, the
 * classify step decides whether the message continues it. For a command, no such decision is needed.
 */
export class ThreadAnalyst implements Pick<Analyst, 'ask'> {
  readonly #deps: ThreadAnalystDeps

  constructor(deps: ThreadAnalystDeps) {
    this.#deps = deps
  }

  async ask(question: Question, signal: AbortSignal): Promise<AnalystAnswer> {
    checkLength(question.text)
    const { analyst, lineage } = this.#deps
    const understood = await lineage.understand(question, signal)
    if (understood !== undefined) {
      const language = await analyst.languageOf({ ...question, text: understood.question }, signal)
      question.observe?.({ kind: 'question_understood', question: understood.question, language })
      return this.#investigate({ ...question, language }, understood, signal)
    }
    const underWay = await lineage.underWay(question, signal)
    if (underWay === undefined) return analyst.ask(question, signal)
    const { request, ...investigation } = underWay
    const goOn = (asked: string, language: Language, own: AbortSignal) =>
      this.#investigate({ ...question, language }, { ...request, question: asked }, own)
    return analyst.ask({ ...question, investigation: { ...investigation, goOn } }, signal)
  }

  async #investigate(question: Question, request: StoredRequest, signal: AbortSignal): Promise<AnalystAnswer> {
    const { analyst, lineage } = this.#deps
    const answer = await lineage.ask(question, request, signal)
    await analyst.remember(question, answer.result, signal)
    return answer
  }
}
