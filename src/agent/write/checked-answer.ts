import type { UnitVerdict } from '../../answer-check/citation-checker.ts'
import { readUnit } from '../../answer-check/figures/unit-text.ts'
import { takeWorkings } from '../../answer-check/workings/take-workings.ts'
import { breather, inSlices } from '../../base/slices.ts'
import { ModelError } from '../../llm/error.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { CitationReport } from '../run/result.ts'
import { SentenceSplitter } from './sentence-splitter.ts'

export interface CheckedAnswerDeps {
  /** The mark behind an unsupported statement. */
  readonly unverified: string
  /** Resolves when the check's data is ready; the first check waits for it. */
  readonly ready?: Promise<void>
  /** Judges the next unit in slices, and remembers table headers and intros for the lines below. */
  check(unit: string): Generator<void, UnitVerdict>
  /** Saves the state of the check. The returned function restores it. */
  mark(): () => void
  /** Reports what is missing at the end, such as the citation of a final table. */
  end(): UnitVerdict
  /** Rewrites a sentence to fix the problems. Undefined if that fails. */
  rewrite(sentence: string, problems: UnitVerdict['problems'], attempt: number): Promise<string | undefined>
  /** Receives the whole answer so far, in checked units. */
  onGrown(markdown: string): void
}

/**
 * Checks an answer unit by unit while it streams, and releases each unit after its check. An unsupported sentence is rewritten
 * once. If it stays unsupported, it is released with a mark.
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
    // `end` reports a failure, but may not be awaited yet.
    this.#released.catch(() => {})
  }

  add(text: string): void {
    for (const unit of this.#splitter.add(text)) this.#queue(unit)
  }

  /** Ends the text and returns the checked answer. @throws ModelError `truncated` if the answer is endless */
  async end(): Promise<{ readonly markdown: string; readonly citations: CitationReport }> {
    for (const unit of this.#splitter.end()) this.#queue(unit)
    await this.#released
    if (this.#units > AGENT_LIMITS.write.sentences) {
      throw new ModelError(`The model wrote more than ${AGENT_LIMITS.write.sentences} sentences.`, { kind: 'truncated' })
    }
    // Yields before further work, because the last check may have used a whole slice.
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
    // A whole answer may arrive at once, and a check over large results takes milliseconds.
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
    // A table row cannot be rephrased.
    if (!isRow && this.#rewrites < AGENT_LIMITS.write.rewrites) {
      this.#rewrites++
      const rewritten = (await this.#deps.rewrite(sentence, problems, this.#rewrites))?.trim()
      goBack()
      // If the model fails once, it is not asked again.
      if (rewritten === undefined) this.#rewrites = AGENT_LIMITS.write.rewrites
      if (rewritten !== undefined && (await this.#holds(sentence, `${before}${rewritten}${after}`)))
        return `${before}${rewritten}${after}`
      // The first version is released, so the check continues from that.
      goBack()
      await this.#check(unit)
    }
    this.#unsupported.push(takeWorkings(sentence).text)
    return isRow ? `${before}${sentence.replace(/\|$/, `${this.#mark} |`)}${after}` : `${before}${sentence} ${this.#mark}${after}`
  }

  /** Whether a rewrite has the same kind and is fully supported. An uncited one was never checked. */
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
