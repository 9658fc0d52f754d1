import { AGENT_LIMITS } from '../limits.ts'

/** Two words are the same if they have this many first letters in common, such as "order" and "orders". */
const STEM_CHARACTERS = 5
const FILLERS: ReadonlySet<string> = new Set(
  'a an the of in on at to is are was were be been as and or for by with it its this that these those der die das den dem des ein eine einer eines und oder im am zu ist sind war als mit von für wird werden es'.split(
    ' ',
  ),
)
/** Matches words that change the meaning of a remark, such as "not" and "only". */
const TURNS = /^(?:no|not|non|none|never|without|only|except|nor|neither|nicht|kein\p{L}*|ohne|nur|nie|außer)$/u

/**
 * Whether one line of a text says the same as a remark. The line must contain most of the remark's words, all its figures, and
 * all its words such as "not" or "only".
 */
export function isAlreadySaid(remark: string, text: string): boolean {
  return text.split('\n').some(line => isSaidIn(remark, line, AGENT_LIMITS.notes.saidShare))
}

/**
 * Whether a remark adds nothing to an answer: the answer says the same, or the remark only repeats the question and one line of
 * the answer.
 */
export function isRestated(remark: string, { asked, markdown }: { readonly asked: string; readonly markdown: string }): boolean {
  return (
    isAlreadySaid(remark, markdown) ||
    markdown.split('\n').some(line => isSaidIn(remark, `${asked} ${line}`, AGENT_LIMITS.notes.saidTogetherShare))
  )
}

function isSaidIn(remark: string, text: string, share: number): boolean {
  const words = [...new Set(wordsOf(remark))]
  const needed = words.filter(word => TURNS.test(word) || /\d/.test(word))
  const said = new Set(wordsOf(text).map(stem))
  const has = (word: string) => said.has(stem(word))
  return words.length > 0 && needed.every(has) && words.filter(has).length >= words.length * share
}

/** Whether a text contains the value as a whole word. "DZ100" does not contain DZ10, and "fra-dz01" does not contain dz01. */
export function mentionsValue(value: string, text: string): boolean {
  const literal = value.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}_][-.:/])${literal}(?![\\p{L}\\p{N}_]|[-.:/][\\p{L}\\p{N}_])`, 'u').test(
    text,
  )
}

function wordsOf(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,:-]\p{N}+)*/gu) ?? []).filter(word => !FILLERS.has(word))
}

function stem(word: string): string {
  return /\d/.test(word) || TURNS.test(word) ? word : word.slice(0, STEM_CHARACTERS)
}
