/**
 * Ends of a sentence in running text: a stop, its closing marks and citations, then white space. A line's end always ends one. One group takes marks and
 * citations alike: with a repeat of marks on either side of the citations, a long run of marks took time by its square, at every piece of the stream.
 */
const SENTENCE_END = /^[.!?…](?:["')\]]|\s*\[Q\d+(?:\s*,\s*Q\d+)*\])*(?=\s)/
/** A character that may end a sentence. */
const STOP = /[.!?…]/g
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|ca|no|z\.B|d\.h|Mio|Mrd|Tsd|bzw|Nr|inkl|Inc|Ltd|Co|Corp|Dr|Prof|St|bspw|ggf|max|min|avg|(?:\p{Lu}\.)*\p{Lu})\.$/iu
/** The number of a numbered line. */
const LIST_NUMBER = /^\d{1,3}\.$/
/** "18. November", "3. Quartal": an ordinal of German, which a stop does not end. */
const ORDINAL = /(?:^|[\s(])\d{1,2}\.$/
const AFTER_ORDINAL =
  /^(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Quartal|Woche|Tag|Platz|Rang|Perzentil|Quantil|\p{Ll})/u
/** "Beim 90. Perzentil", "der 15. Bezirk": whatever follows. */
const ORDINAL_OF =
  /(?<!\p{L})(?:beim|am|im|vom|zum|zur|der|die|das|dem|den|des|ab|jede[rsmn]?|eine[nmrs]?|dieser|dieses|diesem)\s\d{1,3}\.$/iu
/** The stream may have brought no more than the start of the month yet. */
const PART_OF_WORD = /^\p{L}*$/u
/** What stands behind a stop, where more of it may change what the stop is: a word, a working or citations that have begun. */
const UNDECIDED = /^(?:\p{L}*|\{|\[[Q\d,\s\]["')]*)$/u
/** No word, no citations and no white space are longer: what follows a stop for longer than this has decided what it is. */
const LONGEST_UNDECIDED = 1_000
/** More than any abbreviation or ordinal has. */
const TAIL_CHARACTERS = 60

/**
 * Cuts a streamed Markdown text into the units that an answer is checked and shown by: sentences, bullets, table rows, headings; a code block is one
 * unit. Put together, the units are the text. No part of a text is searched again with each piece that comes after it.
 */
export class SentenceSplitter {
  #pending = ''
  readonly #newline = new FirstPlace(/\n/g)
  readonly #ink = new FirstPlace(/\S/g)
  readonly #pastQuote = new FirstPlace(/[^\s>]/g)
  #fence: CodeFence | undefined
  #line = new ReadLine()

  /** Takes a piece of the stream; returns the units that are whole now. */
  add(text: string): string[] {
    this.#pending += text
    const units: string[] = []
    for (let end = this.#nextEnd(); end > 0; end = this.#nextEnd()) {
      units.push(this.#pending.slice(0, end))
      this.#cut(end)
    }
    return units
  }

  /** The stream has ended: returns the rest. */
  end(): string[] {
    const rest = this.#pending
    this.#cut(rest.length)
    return rest === '' ? [] : [rest]
  }

  #cut(length: number): void {
    this.#pending = this.#pending.slice(length)
    for (const place of [this.#newline, this.#ink, this.#pastQuote]) place.cut(length)
    this.#fence = undefined
    this.#line = new ReadLine()
  }

  /** Where the first whole sentence in what is pending ends; 0 if none has. A citation may still follow a stop that ends the pending text. */
  #nextEnd(): number {
    const ink = this.#ink.in(this.#pending)
    if (this.#pending.startsWith('```', ink)) {
      this.#fence ??= new CodeFence(ink)
      const end = this.#fence.endIn(this.#pending)
      if (end !== undefined) return end
    }
    const newline = this.#newline.in(this.#pending)
    const lineEnd = newline < 0 ? this.#pending.length : newline + 1
    const first = this.#pastQuote.in(this.#pending)
    // A table's row is one, whatever sentences its cells hold.
    if (first < lineEnd && this.#pending[first] === '|') return newline < 0 ? 0 : newline + 1
    const line = newline < 0 ? this.#pending : this.#pending.slice(0, lineEnd)
    return this.#line.sentenceEnd(line, ink) ?? (newline < 0 ? 0 : newline + 1)
  }
}

/** Where an expression first fits in a text that grows at its end and is cut at its start. It looks at each character once. */
class FirstPlace {
  readonly #expression: RegExp
  /** As many characters before a text's end may be the start of what is looked for. */
  readonly #overlap: number
  #looked: number
  #at: number | undefined

  constructor(expression: RegExp, { from = 0, overlap = 0 }: { readonly from?: number; readonly overlap?: number } = {}) {
    this.#expression = new RegExp(expression)
    this.#overlap = overlap
    this.#looked = from
  }

  /** @returns below 0 where it fits nowhere yet */
  in(text: string): number {
    if (this.#at !== undefined) return this.#at
    this.#expression.lastIndex = this.#looked
    this.#at = this.#expression.exec(text)?.index
    this.#looked = Math.max(this.#looked, text.length - this.#overlap)
    return this.#at ?? -1
  }

  cut(length: number): void {
    const isBehind = this.#at === undefined ? this.#looked >= length : this.#at >= length
    this.#looked = isBehind ? this.#looked - length : 0
    this.#at = isBehind && this.#at !== undefined ? this.#at - length : undefined
  }
}

/** A block of code, or what is not told from the start of one yet: back-ticks with nothing but the name of a language behind them. */
class CodeFence {
  readonly #pastTicks: FirstPlace
  #pastName: FirstPlace | undefined
  #close: FirstPlace | undefined
  #end: FirstPlace | undefined

  constructor(start: number) {
    this.#pastTicks = new FirstPlace(/[^`]/g, { from: start })
  }

  /** 0 while the block is open; undefined where it is none. */
  endIn(text: string): number | undefined {
    const name = this.#pastTicks.in(text)
    if (name < 0) return 0
    this.#pastName ??= new FirstPlace(/[\n`]/g, { from: name })
    const line = this.#pastName.in(text)
    if (line < 0) return 0
    if (text[line] === '`') return undefined
    this.#close ??= new FirstPlace(/\n```/g, { from: line + 1, overlap: 3 })
    const close = this.#close.in(text)
    if (close < 0) return 0
    this.#end ??= new FirstPlace(/\n/g, { from: close + 1 })
    return this.#end.in(text) + 1
  }
}

/** A line that grows, as far as it has been looked through for the end of a sentence. */
class ReadLine {
  /** Nothing before it can end a sentence any more. */
  #from = 0
  /** As far as back-ticks and braces are counted. */
  #counted = 0
  #isCode = false
  #isWorking = false

  /** @param ink where the first character that is no white space stands */
  sentenceEnd(line: string, ink: number): number | undefined {
    const from = this.#from
    let isDecided = true
    for (const { index } of line.slice(from).matchAll(STOP)) {
      const stop = from + index
      const behind = line.slice(stop)
      this.#from = stop
      this.#count(line, stop)
      const match = SENTENCE_END.exec(behind)?.[0]
      if (match !== undefined && this.#ends(line, ink, stop + match.length)) return stop + match.length
      isDecided = !mayBecomeAnother(behind)
    }
    if (isDecided) this.#from = line.length
    return undefined
  }

  #count(line: string, end: number): void {
    const text = line.slice(this.#counted, end)
    this.#counted = end
    if ((text.match(/`/g)?.length ?? 0) % 2 === 1) this.#isCode = !this.#isCode
    const opened = text.lastIndexOf('{=')
    const closed = text.lastIndexOf('}')
    if (opened !== closed) this.#isWorking = opened > closed
  }

  #ends(line: string, ink: number, end: number): boolean {
    // A stop between back-ticks belongs to what is quoted, and one between `{=` and `}` to a working.
    if (this.#isCode || this.#isWorking) return false
    const rest = line.slice(end).trimStart()
    if (rest === '' || rest.startsWith('[') || rest.startsWith('{=')) return false
    if (line[end - 1] === ')' && /^\p{Ll}/u.test(rest)) return false
    const upToStop = line.slice(Math.max(ink, end - TAIL_CHARACTERS), end).replace(/(?<!["')\]])["')\]]+$/, '')
    return !(
      ABBREVIATION.test(upToStop) ||
      (end - ink <= TAIL_CHARACTERS && LIST_NUMBER.test(upToStop)) ||
      (ORDINAL_OF.test(upToStop) && /^\p{Lu}/u.test(rest)) ||
      (ORDINAL.test(upToStop) && (AFTER_ORDINAL.test(rest) || PART_OF_WORD.test(rest.slice(0, LONGEST_UNDECIDED))))
    )
  }
}

/** Whether more text can make something else of a stop, by what stands behind it until now. */
function mayBecomeAnother(stop: string): boolean {
  return stop.length <= LONGEST_UNDECIDED && UNDECIDED.test(stop.slice(1).replace(/^["')\]\s]+/, ''))
}
