import { getDefaults, Lexer, type Token, Tokenizer, type TokensList } from 'marked'
import { atOnce } from '../at-once.ts'
import { BASE_LIMITS } from '../limits.ts'

/** Matches characters that may begin markup within a line, such as `*`, `[` or `http`. */
const MARK = /[\\<![`*~_@]|http|ftp:\/\/|www\.| {2}\n/gi

/** Stops the parser from inside, if parsing would take too long. */
class TangledError extends Error {}

/** A Markdown parser for foreign text. It gives up on text that would take quadratic time. */
class BoundedLexer extends Lexer {
  #work = 0
  #nested = 0
  #depth = 0

  override inlineTokens(source: string, tokens?: Token[]): Token[] {
    this.#work += (source.match(MARK)?.length ?? 0) * source.length
    if (this.#work > BASE_LIMITS.markdown.work) throw new TangledError()
    return this.#within(() => super.inlineTokens(source, tokens))
  }

  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[]
  override blockTokens(source: string, tokens?: TokensList, lastParagraphClipped?: boolean): TokensList
  override blockTokens(source: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[] {
    this.#nested += source.length
    if (this.#nested > BASE_LIMITS.markdown.nestedCharacters) throw new TangledError()
    return this.#within(() => super.blockTokens(source, tokens, lastParagraphClipped))
  }

  /** Parses like `lex`, but in short steps: first the blocks, then the text within each block. */
  *lexInSteps(source: string): Generator<void, TokensList> {
    this.blockTokens(source.replaceAll('\r\n', '\n').replaceAll('\r', '\n'), this.tokens)
    // Parsing the text of one block may add more texts to the queue, so the loop also reaches those.
    for (const { src, tokens } of this.inlineQueue) {
      yield
      this.inlineTokens(src, tokens)
    }
    return this.tokens
  }

  #within<T>(read: () => T): T {
    if (++this.#depth > BASE_LIMITS.markdown.depth) throw new TangledError()
    const tokens = read()
    this.#depth--
    return tokens
  }
}

/**
 * Ignores reference definitions, such as `[Q1]: https://example.com`. They are invisible, and this one would turn the citation
 * [Q1] into a link to a foreign address.
 */
class WithoutDefinitions extends Tokenizer {
  override def(): undefined {
    return undefined
  }
}

/**
 * Parses Markdown in linear time, in short steps.
 * @returns the blocks of the text; undefined if the text has too much markup, or the nesting is too deep
 */
export function* markdownTokenSteps(
  markdown: string,
  { definitions }: { readonly definitions: boolean },
): Generator<void, readonly Token[] | undefined> {
  try {
    const options = { ...getDefaults(), gfm: true, tokenizer: definitions ? new Tokenizer() : new WithoutDefinitions() }
    return yield* new BoundedLexer(options).lexInSteps(markdown)
  } catch {
    return undefined
  }
}

/** Does the work of `markdownTokenSteps` without a pause. */
export function markdownTokens(markdown: string, options: { readonly definitions: boolean }): readonly Token[] | undefined {
  return atOnce(markdownTokenSteps(markdown, options))
}
