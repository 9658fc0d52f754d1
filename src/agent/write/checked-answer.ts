import type { UnitVerdict } from '../../answer-check/citation-checker.ts'
import { readUnit } from '../../answer-check/figures/unit-text.ts'
import { takeWorkings } from '../../answer-check/workings/take-workings.ts'
import { breather, inSlices } from '../../base/slices.ts'
import { ModelError } from '../../llm/error.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { CitationReport } from '../run/result.ts'
import { SentenceSplitter } from './sentence-splitter.ts'

export interface CheckedAnswerDeps {
  /** The words of the mark behind an unsupported statement. */
  readonly unverified: string
  /** Resolves when the data of the check is ready. The first check waits for it. */
  readonly ready?: Promise<void>
  /** Checks the next unit in slices. The check remembers table headers and intros, because they apply to the lines below. */
  check(unit: string): Generator<void, UnitVerdict>
  /** Saves the state of the check. The returned function restores it. */
  mark(): () => void
  /** Ends the answer. Reports what is still missing, such as the citation of the last table. */
  end(): UnitVerdict
  /** Rewrites a sentence so that its problems are solved. Undefined if that fails. */
  rewrite(sentence: string, problems: UnitVerdict['problems'], attempt: number): Promise<string | undefined>
  /** Receives the whole answer so far, which consists of checked units. */
  onGrown(markdown: string): void
}

/**
 * Checks an answer unit by unit while the model writes it, and releases each unit after its check. An unsupported sentence is rewritten once.
 * If it is still unsupported, it is released with a mark.
 */
export class CheckedAnswer {
  readonly #deps: CheckedAnswerDeps
  readonly #splitter = new SentenceSplitter()
  readonly #breathe = breather()
  #released: Promise<void>
  #markdown = ''
  #units = 0
  #checked = 0
  #rewrites = 0
  readonly #unsupported: string[] = []

  constructor(deps: CheckedAnswerDeps) {
    this.#deps = deps
    this.#released = deps.ready ?? Promise.resolve()
    // `end` throws this error, but nobody may be waiting for `end` yet. Until then, the rejection must not count as unhandled.
    this.#released.catch(() => {})
  }

  add(text: string): void {
    for (const unit of this.#splitter.add(text)) this.#queue(unit)
  }

  /** Ends the text, and returns the checked answer. @throws ModelError `truncated` if the answer does not end */
  async end(): Promise<{ readonly markdown: string; readonly citations: CitationReport }> {
    for (const unit of this.#splitter.end()) this.#queue(unit)
    await this.#released
    if (this.#units > AGENT_LIMITS.write.sentences) {
      throw new ModelError(`The model wrote more than ${AGENT_LIMITS.write.sentences} sentences.`, { kind: 'truncated' })
    }
    // The last check may have used a whole slice, so other work gets its turn before the next one.
    await this.#breathe()
    const missing = this.#deps.end()
    if (missing.kind === 'unsupported') {
      this.#unsupported.push(...missing.problems.map(problem => problem.reason))
      this.#markdown += `\n\n${this.#mark}`
    }
    return { markdown: this.#markdown.trim(), citations: { checked: this.#checked, unsupported: this.#unsupported } }
  }

  get #mark(): string {
    return `_(${this.#deps.unverified})_`
  }

  #queue(unit: string): void {
    this.#units++
    if (this.#units > AGENT_LIMITS.write.sentences) return
    this.#released = this.#released.then(() => this.#release(unit))
    this.#released.catch(() => {})
  }

  async #release(unit: string): Promise<void> {
    // A whole answer may arrive at once, and a check over large results takes milliseconds. So other work gets its turn.
    await this.#breathe()
    const goBack = this.#deps.mark()
    const verdict = await this.#check(unit)
    if (verdict.kind !== 'uncited') this.#checked++
    const released = verdict.kind === 'unsupported' ? await this.#mend(unit, verdict.problems, goBack) : unit
    this.#markdown += takeWorkings(released).text
    this.#deps.onGrown(this.#markdown)
  }

  async #mend(unit: string, problems: UnitVerdict['problems'], goBack: () => void): Promise<string> {
    const sentence = unit.trim()
    const [before = '', after = ''] = sentence === '' ? [unit] : unit.split(sentence)
    const isRow = sentence.startsWith('|')
    // A row of a table cannot be rephrased, so it is never rewritten.
    if (!isRow && this.#rewrites < AGENT_LIMITS.write.rewrites) {
      this.#rewrites++
      const rewritten = (await this.#deps.rewrite(sentence, problems, this.#rewrites))?.trim()
      goBack()
      // If the model fails once, it is not asked for the other sentences of this answer.
      if (rewritten === undefined) this.#rewrites = AGENT_LIMITS.write.rewrites
      if (rewritten !== undefined && (await this.#holds(sentence, `${before}${rewritten}${after}`)))
        return `${before}${rewritten}${after}`
      // The first version is released. So the check must continue from it.
      goBack()
      await this.#check(unit)
    }
    this.#unsupported.push(takeWorkings(sentence).text)
    return isRow ? `${before}${sentence.replace(/\|$/, `${this.#mark} |`)}${after}` : `${before}${sentence} ${this.#mark}${after}`
  }

  /**
   * Whether a rewritten sentence is of the same kind, and is supported by the rows that it cites. A sentence without a citation is refused, because
   * no check has covered it.
   */
  async #holds(sentence: string, rewritten: string): Promise<boolean> {
    const { kind } = readUnit(sentence)
    const splitter = new SentenceSplitter()
    const units = [...splitter.add(rewritten), ...splitter.end()].filter(unit => unit.trim() !== '')
    if (units.length === 0 || (kind === 'heading' && units.length > 1)) return false
    for (const [at, unit] of units.entries()) {
      const own = readUnit(unit).kind
      const isAlike = own === kind || (kind === 'bullet' && at > 0 && own === 'prose')
      const verdict = isAlike ? (await this.#check(unit)).kind : 'unsupported'
      if (verdict !== 'supported' && !(kind === 'heading' && verdict === 'uncited')) return false
    }
    return true
  }

  #check(unit: string): Promise<UnitVerdict> {
    return inSlices(this.#deps.check(unit), this.#breathe)
  }
}
