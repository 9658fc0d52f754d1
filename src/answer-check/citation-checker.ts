import { atOnce } from '../base/at-once.ts'
import type { Language } from '../words/language.ts'
import { type AnswerContext, AnswerGrounds } from './answer-grounds.ts'
import { checkRow, type TableState } from './check-row.ts'
import { type Before, checkText, type TextCheck } from './check-text.ts'
import type { CheckedQuery } from './checked-query.ts'
import { firstRowsOf } from './counts.ts'
import type { Figure } from './figures/figure.ts'
import { decimalMark } from './figures/text-language.ts'
import { readUnit, type UnitText } from './figures/unit-text.ts'
import { findBraces } from './formulas/braces.ts'
import { findsInRows } from './formulas/data-braces.ts'
import type { FormulaSource } from './formulas/formula.ts'
import { isTable } from './formulas/read-table.ts'
import { writeFormulas } from './formulas/write-formulas.ts'
import { writeTable } from './formulas/write-table.ts'
import { CHECK_LIMITS } from './limits.ts'
import { type Mention, type NamedText, namedSizes } from './mentions.ts'
import { type Grounds, parseText } from './parse-text.ts'
import { withShortPercentiles } from './rows/column-words.ts'
import { indexResults, type ResultIndex } from './rows/result-index.ts'
import { checkTitle, statedWithoutCitation } from './uncited.ts'
import type { Problem } from './unsupported-figure.ts'
import { WorkingFault } from './workings/fault.ts'
import { cellSource, type FigureSource, figureSource } from './workings/figure-source.ts'
import { type Proof, proveFigures } from './workings/prove-figures.ts'
import type { WorkedFigure } from './workings/worked-figure.ts'
import type { Working } from './workings/worked-part.ts'
import { WorkBench } from './workings/working.ts'

export interface UnitVerdict {
  /** `uncited` means that the text makes no claim that can be checked, with a citation or without one. */
  readonly kind: 'uncited' | 'supported' | 'unsupported'
  /** The claims that the rows do not support, worded for the model that rewrites the sentence. */
  readonly problems: readonly Problem[]
  /** The sources of the figures that a working confirms, or that a single cell shows. Absent if there are none, and if the text is unsupported. */
  readonly figures?: readonly FigureSource[]
}

/** The verdict on a unit of an answer. */
export interface CheckedUnit extends UnitVerdict {
  /** The unit as people see it: its formulas are written out, and its workings are gone. Null if a formula cannot be read. */
  readonly shown: string | null
}

const NUMBER_OR_BORDER = /\d[\d.,:/-]*|\|/g
const UNCITED: UnitVerdict = { kind: 'uncited', problems: [] }
const SUPPORTED: UnitVerdict = { kind: 'supported', problems: [] }
/** What the workings of a unit prove. */
type UnitProof = Pick<Proof, 'proven' | 'sizes' | 'read'>
const UNPROVEN: UnitProof = { proven: new Map(), sizes: [], read: [] }

/** The facts from the lines so far that bear on the next one. */
class Told {
  /** The queries that a line without a citation of its own cites. */
  inherited: readonly string[] = []
  table: TableState | undefined
  /** A table or list above has no citation yet. */
  uncitedTable = false
  before: Before = { mentions: [], sizes: new Set() }
  opening = ''
  /** The names of the current list, and of the sentence before it. */
  listed: readonly Mention[] = []
  isWorked = false
  /** The citation of the table above, which need not be said again. */
  tableCited: readonly string[] = []
  tables = 0
  /** The lines that the next one may continue. */
  lines: Readonly<Partial<Record<'heading' | 'intro' | 'last', NamedText | undefined>>> = {}

  copy(): Told {
    const { table } = this
    const own = table && { table: { ...table, columns: new Map(table.columns), named: new Map(table.named) } }
    return Object.assign(new Told(), this, own)
  }
}

/**
 * Checks the sentences, bullets and table rows of an answer in the order in which they are shown. A table's header and the
 * citations of an intro apply to the lines below them, so each answer needs a checker of its own.
 */
export class CitationChecker {
  readonly #queries: readonly CheckedQuery[]
  readonly #results: ReadonlyMap<string, ResultIndex>
  readonly #answer: AnswerGrounds
  readonly #question: string
  readonly #language: Language
  readonly #hide: (text: string) => string
  #told = new Told()
  #asked: NamedText | undefined

  /** @param results the prepared index of `queries` */
  constructor(queries: readonly CheckedQuery[], context: AnswerContext, results = atOnce(indexResults(queries))) {
    this.#queries = queries.filter(query => query.error === null)
    this.#results = results
    this.#answer = new AnswerGrounds(this.#queries, results, context)
    this.#question = context.question
    this.#language = context.language ?? 'en'
    this.#hide = context.hide ?? (text => text)
  }

  /** Saves the state. The returned function restores this state, as if nothing had been checked in between. */
  mark(): () => void {
    const saved = this.#told.copy()
    return () => {
      this.#told = saved.copy()
    }
  }

  /** Checks the next unit of the answer: a sentence, bullet, table line or heading. It may contain formulas and workings. */
  check(written: string): CheckedUnit {
    return atOnce(this.checkInParts(written))
  }

  /** Checks like `check`, in steps of some milliseconds. Run the generator to its end before you check the next unit. */
  *checkInParts(written: string): Generator<void, CheckedUnit> {
    const { cited, kind } = readUnit(written)
    const isCitedAgain = kind === 'prose' && cited.length > 0 && /^(?:\s|\[[QE\d, ]+\])*$/.test(written)
    const below = this.#told.tableCited
    if (kind !== 'blank') this.#told.tableCited = []
    // A table cites its query itself. The line with the same citation below it is needless.
    if (isCitedAgain && cited.every(id => below.includes(id))) return { ...UNCITED, shown: '' }
    if (kind === 'code' || !/[{}]/.test(written)) return { ...(yield* this.#checkUnit(written)), shown: written }
    const own = cited.length === 0 ? this.#told.inherited : cited
    yield* this.#answer.read([...this.#results.keys()])
    const isCited = (query: CheckedQuery) => own.includes(query.id)
    const bench = new WorkBench([...this.#queries].sort((one, other) => Number(isCited(other)) - Number(isCited(one))))
    const grounds = this.#groundsOfAll(written)
    const words = `${grounds.language} ${written}`
    const mark = decimalMark(words)
    const language = mark === undefined ? this.#language : mark === ',' ? 'de' : 'en'
    const source = { queries: this.#queries, results: grounds.results, cited: own, language }
    yield
    const table = findBraces(written)[0]?.inner
    if (table !== undefined && isTable(table) && /^\s*\{/.test(written)) return yield* this.#checkTable(written, bench, source)
    const isData = findsInRows(this.#queries, grounds.known)
    const { text, workings, unread } = yield* writeFormulas(written, bench, { ...source, words, isData })
    if (unread.length > 0) return { ...verdictOf(unread), shown: null }
    yield
    return { ...(yield* this.#checkWorked(text, workings, bench)), shown: text }
  }

  /** Writes a table out. Its figures are those of the rows, so that only its heads are checked. */
  *#checkTable(written: string, bench: WorkBench, source: FormulaSource): Generator<void, CheckedUnit> {
    try {
      const [braces] = findBraces(written)
      const rest = written.slice(braces?.end).replace(/\[[QE\d, ]+\]|[\s.:]/g, '')
      if (braces?.inner === undefined || rest !== '')
        throw new WorkingFault('a table stands on a line of its own, without other words')
      const { tables } = CHECK_LIMITS.formulas
      if (++this.#told.tables > tables) throw new WorkingFault(`an answer has at most ${tables} tables`)
      const { heads, markdown, rowCount, cited, figures } = yield* writeTable(braces.inner, bench, source)
      const [problem] = heads.flatMap(head => this.#checkTitle(head))
      if (problem !== undefined) throw new WorkingFault(problem.reason)
      const told = firstRowsOf(this.#told.lines.intro?.text ?? '')
      if (told !== undefined && told !== rowCount)
        throw new WorkingFault(`the line above tells of ${told} rows, and the table has ${rowCount}`)
      this.#told.inherited = cited
      this.#told.tableCited = cited
      this.#told.before = { ...this.#told.before, sizes: new Set([...this.#told.before.sizes, rowCount]) }
      const shown = `${written.slice(0, braces.start)}\n${markdown}\n\n[${cited.join(', ')}]\n`
      return { ...SUPPORTED, shown, figures }
    } catch (error) {
      if (!(error instanceof WorkingFault)) throw error
      return { ...verdictOf([{ text: 'the table', reason: `{table …}: ${error.reason}` }]), shown: null }
    }
  }

  *#checkWorked(text: string, workings: readonly Working[], bench: WorkBench): Generator<void, UnitVerdict> {
    if (workings.length === 0 || text.length > CHECK_LIMITS.sentenceCharacters) return yield* this.#checkUnit(text)
    this.#told.isWorked = true
    if (workings.length > CHECK_LIMITS.figures)
      return tooMuch(text, `this has more than ${CHECK_LIMITS.figures} workings, too many to be checked in one sentence`)
    const grounds = this.#groundsOfAll(text)
    // The Q1 of a citation is not read as a quarter.
    const uncited = text.replace(/\[[QE]\d+(?:\s*,\s*[QE]\d+)*\]/g, citation => ' '.repeat(citation.length))
    const hidden = this.#hide(uncited)
    const headers = /^\s*\|/.test(text) ? this.#told.table?.header : undefined
    const proof = yield* proveFigures(hidden, workings, bench, grounds, this.#context(), headers)
    yield
    const verdict = yield* this.#checkUnit(text, proof)
    if (proof.wrong.length > 0) return verdictOf([...proof.wrong, ...verdict.problems])
    if (verdict.kind === 'unsupported') return verdictOf([...verdict.problems, ...proof.faults])
    const sourceOf = (held: WorkedFigure) => figureSource(held.figure.text, held, this.#language)
    const worked = proof.held.map(held => ({ start: held.figure.start, source: sourceOf(held) }))
    return { ...verdict, figures: inOrder(proof.written, worked, verdict.figures ?? []) }
  }

  *#checkUnit(shown: string, proof = UNPROVEN): Generator<void, UnitVerdict> {
    const unit = this.#hide(shown)
    const read = readUnit(unit)
    if (read.kind === 'blank' || read.kind === 'rule' || read.kind === 'code') return UNCITED
    if (unit.length > CHECK_LIMITS.sentenceCharacters) return tooMuch(unit, 'this is too long to be checked')
    if ((unit.match(NUMBER_OR_BORDER)?.length ?? 0) > CHECK_LIMITS.numbers)
      return tooMuch(unit, 'this has too many figures to be checked in one sentence')
    if (read.kind === 'row') return this.#checkTableLine(read, proof)
    this.#told.table = undefined
    const missing = read.kind === 'bullet' && read.cited.length === 0 ? [] : this.#closeTable(read)
    if (read.kind === 'heading') {
      this.#told.inherited = read.cited
      this.#told.lines = { heading: this.#named(read.text, proof) }
      const title = read.text.replace(/^\d{1,2}(?:[.)]|(?:\.\d{1,2})+[.)]?)\s/, '')
      return verdictOf([...missing, ...this.#checkTitle(title, proof)], UNCITED)
    }
    const verdict = yield* this.#checkLine(read, proof)
    return verdictOf([...missing, ...verdict.problems], verdict)
  }

  /** Ends the answer. Reports the last table or list if it still has no citation. */
  end(): UnitVerdict {
    return verdictOf(this.#closeTable(), UNCITED)
  }

  *#checkLine(read: UnitText, proof: UnitProof): Generator<void, UnitVerdict> {
    const cited = read.cited.length === 0 && read.kind === 'bullet' ? this.#told.inherited : read.cited
    if (read.kind === 'prose' && read.cited.length > 0) this.#told.inherited = read.cited
    if (cited.length === 0) {
      const grounds = this.#groundsOfAll(read.text, proof)
      const stated = statedWithoutCitation(read.text, grounds, this.#question)
      if (stated === undefined || read.kind !== 'bullet') return verdictOf(stated ? [stated] : [], UNCITED)
      this.#told.uncitedTable = true
      return verdictOf((yield* checkText(read.text, grounds, this.#told.before)).problems)
    }
    const problems = this.#unknown(cited)
    if (problems.length > 0) return verdictOf(problems)
    // A cited intro such as "By month [Q1]:" passes its citation on to the list below. So it is a claim even without a figure.
    let isClaim = read.text.trimEnd().endsWith(':')
    const cells: TextCheck['cells'][number][] = []
    const sizes = new Set([...this.#told.before.sizes, ...proof.sizes])
    for (const part of read.parts) {
      const isWhole = read.parts.length === 1
      const grounds = { ...this.#grounds(part.cited.length > 0 ? part.cited : cited, read.text, proof), isWhole }
      const checked = yield* checkText(part.text, grounds, { mentions: this.#told.before.mentions, sizes })
      problems.push(...checked.problems)
      cells.push(...checked.cells)
      isClaim ||= checked.isClaim
    }
    const own = this.#named(read.text, proof)
    const { heading, intro: lead, last = own } = this.#told.lines
    const named = own.mentions.length > 0 ? own : last
    const withRead = { text: named.text, mentions: [...named.mentions, ...proof.read] }
    this.#told.lines = { heading, intro: read.kind === 'bullet' ? lead : own, last: withRead }
    this.#told.listed = read.kind === 'bullet' ? [...this.#told.listed, ...own.mentions] : own.mentions
    this.#told.before = { mentions: own.mentions, sizes: new Set([...sizes, ...namedSizes(this.#told.listed)]) }
    this.#told.opening ||= read.text
    return verdictOf(problems, isClaim ? this.#supportedBy(cells) : UNCITED)
  }

  /** Returns the verdict on a supported text, with the sources of the figures that single cells show. */
  #supportedBy(cells: TextCheck['cells']): UnitVerdict {
    const figures = cells.flatMap(([figure, cell]) => {
      const source = this.#queries.find(({ id }) => id === cell.query)
      return source === undefined ? [] : [cellSource(figure, cell, source, this.#language)]
    })
    return figures.length === 0 ? SUPPORTED : { ...SUPPORTED, figures }
  }

  #checkTitle(text: string, proof = UNPROVEN): Problem[] {
    return checkTitle(text, this.#groundsOfAll(text, proof))
  }

  #checkTableLine(read: UnitText, proof: UnitProof): UnitVerdict {
    const { table } = this.#told
    if (table === undefined) {
      this.#told.table = { header: read.cells.map(withShortPercentiles), columns: new Map(), named: new Map() }
      return verdictOf(
        read.cells.flatMap(cell => this.#checkTitle(cell, proof)),
        UNCITED,
      )
    }
    const own = read.cited.length > 0 ? read.cited : this.#told.inherited
    const unknown = this.#unknown(own)
    if (unknown.length > 0) return verdictOf(unknown)
    if (own.length > 0) {
      const goBack = this.mark()
      const { problems, cells } = checkRow(read.cells, table, this.#grounds(own, read.text, proof))
      if (problems.length === 0 || read.cited.length > 0 || new Set(own).size === this.#results.size)
        return verdictOf(problems, this.#supportedBy(cells))
      goBack()
    }
    const { problems, cells } = checkRow(read.cells, this.#told.table ?? table, this.#groundsOfAll(read.text, proof))
    this.#told.uncitedTable = true
    return verdictOf(problems, this.#supportedBy(cells))
  }

  /** Reports a table or list without a citation, unless the line behind it has one. */
  #closeTable(next?: UnitText): Problem[] {
    if (!this.#told.uncitedTable) return []
    this.#told.uncitedTable = false
    if (next !== undefined && next.cited.length > 0) return []
    return [{ text: 'the table or list', reason: 'the table or list above cites no query' }]
  }

  #unknown(cited: readonly string[]): Problem[] {
    return cited
      .filter(id => !this.#results.has(id))
      .map(id => ({ text: `[${id}]`, reason: `${id} is no query that returned a result` }))
  }

  #named(text: string, proof = UNPROVEN): NamedText {
    return { text, mentions: parseText(text, this.#groundsOfAll(text, proof)).mentions }
  }

  /** Returns the lines that the next line may continue, with their names. */
  #context(): NamedText {
    this.#asked ??= this.#named(this.#question)
    const { heading, intro, last } = this.#told.lines
    const lines = [this.#asked, heading, intro, last].filter(line => line !== undefined)
    return { text: lines.map(({ text }) => text).join('\n'), mentions: lines.flatMap(({ mentions }) => mentions) }
  }

  #groundsOfAll(text: string, proof = UNPROVEN): Grounds {
    return this.#grounds([...this.#results.keys()], text, proof)
  }

  #grounds(cited: readonly string[], text: string, { proven }: UnitProof): Grounds {
    const { opening, isWorked } = this.#told
    return this.#answer.of(cited, text, { opening, proven, isWorked })
  }
}

/** Returns the sources of figures with and without workings in the order of the text. */
function inOrder(
  written: readonly Figure[],
  worked: readonly { readonly start: number; readonly source: FigureSource }[],
  plain: readonly FigureSource[],
): readonly FigureSource[] {
  const left = [...plain]
  const found = written.flatMap(({ start, text }) => {
    const own = worked.filter(each => each.start === start).map(({ source }) => source)
    return own.length > 0 || left[0]?.text !== text ? own : left.splice(0, 1)
  })
  return [...found, ...left]
}

function tooMuch(text: string, reason: string): UnitVerdict {
  return verdictOf([{ text: text.slice(0, 40), reason }])
}

function verdictOf(problems: readonly Problem[], otherwise = SUPPORTED): UnitVerdict {
  return problems.length === 0 ? otherwise : { kind: 'unsupported', problems }
}
