import { getDefaults, Lexer, type Token, Tokenizer, type TokensList } from 'marked'

/** Characters that begin a new inline element. */
const MARK = /[\\<![`*~_@]|http|ftp:\/\/|www\.| {2}\n/gi
/** Chosen: the most work to parse a text's marks. The work is their number times the length of their run of text, and takes at most 0.2 s. */
const MOST_WORK = 20_000_000
/** Chosen: the most characters read again because of lists or quotations. */
const MOST_NESTED = 2_000_000

/** Chosen: nobody writes deeper nesting for readers. Thousands of levels can end the process: V8 aborts where it compiles an expression at the end of the stack. */
const MOST_DEPTH = 100

/** Stops the parser. */
class TangledError extends Error {}

/** A parser for foreign text. It gives up on text that would take quadratic time. */
class BoundedLexer extends Lexer {
  #work = 0
  #nested = 0
  #depth = 0

  override inlineTokens(source: string, tokens?: Token[]): Token[] {
    this.#work += (source.match(MARK)?.length ?? 0) * source.length
    if (this.#work > MOST_WORK) throw new TangledError()
    return this.#within(() => super.inlineTokens(source, tokens))
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[] {
    this.#nested += source.length
    if (this.#nested > MOST_NESTED) throw new TangledError()
    return this.#within(() => super.blockTokens(source, tokens, lastParagraphClipped))
  }

  #within<T>(read: () => T): T {
    if (++this.#depth > MOST_DEPTH) throw new TangledError()
    const tokens = read()
    this.#depth--
    return tokens
  }
}

/** Reference definitions show nothing themselves, and would turn [Q1] into a link. */
class WithoutDefinitions extends Tokenizer {
  override def(): undefined {
    return undefined
  }
}

/** Returns a Markdown text's blocks in linear time. @returns undefined if it has too many marks in one run of text, or is nested too deep */
export function markdownTokens(
  markdown: string,
  { definitions }: { readonly definitions: boolean },
): readonly Token[] | undefined {
  try {
    const options = { ...getDefaults(), gfm: true, tokenizer: definitions ? new Tokenizer() : new WithoutDefinitions() }
    return new BoundedLexer(options).lex(markdown)
  } catch {
    return undefined
  }
}
