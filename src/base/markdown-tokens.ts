import { getDefaults, Lexer, type Token, Tokenizer, type TokensList } from 'marked'

/** Characters that begin a new inline element. */
const MARK = /[\\<![`*~_@]|http|ftp:\/\/|www\.| {2}\n/gi
/**
 * Chosen: the most work to parse the marks of a text. The work is the number of marks times the length of their run of text. This much takes at most
 * 0.2 s.
 */
const MOST_WORK = 20_000_000
/** Chosen: the parser reads the content of lists and quotations again at each level. It reads at most this many characters again. */
const MOST_NESTED = 2_000_000

/**
 * Chosen: nobody needs deeper nesting in a text. Thousands of levels can end the process: V8 aborts if it compiles a pattern when the stack is nearly
 * full.
 */
const MOST_DEPTH = 100

/** Stops the parser from inside. */
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

/** Ignores reference definitions. A definition itself is invisible, and would turn the citation [Q1] into a link. */
class WithoutDefinitions extends Tokenizer {
  override def(): undefined {
    return undefined
  }
}

/** Parses Markdown in linear time. @returns the blocks of the text; undefined if it has too many marks in one run of text, or too deep nesting */
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
