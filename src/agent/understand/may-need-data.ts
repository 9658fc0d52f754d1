import { memoizePerObject } from '../../base/memoize.ts'
import type { DomainPack } from '../../domain/pack.ts'
import { buildLexicon } from '../../warehouse/retrieval/lexicon.ts'
import { indexedText } from '../../warehouse/retrieval/table-text.ts'
import { isCommon, isWeak, splitWords, stem } from '../../warehouse/retrieval/words.ts'
import type { Schema } from '../../warehouse/schema.ts'
import { AGENT_LIMITS } from '../limits.ts'
import type { RunRequest } from '../run/request.ts'
import { asks } from './simple-question.ts'

/**
 * Whether the work of a data question should start before the message is classified. A wrong yes costs needless calls, and a
 * wrong no costs the time of the classify step. The answer is no for thanks and greetings, and for a first question that contains
 * no word of the tables and definitions.
 */
export function mayNeedData(
  { question, conversation }: Pick<RunRequest, 'question' | 'conversation'>,
  schema: Schema,
  domain: DomainPack,
): boolean {
  const before = conversation.turns.at(-1)
  // If the last answer ends with a question, the message may reply to it.
  if (before !== undefined && /[?？]\s*$/u.test(before.answer)) return true
  if (before !== undefined && before.queries.length > 0 && asks(question)) return true
  const words = telling(question)
  if (words.length > AGENT_LIMITS.understand.smallTalkWords) return true
  // Here only the form of the message decides. A large catalog contains nearly every word, and synonyms are known only for
  // languages in Latin script.
  if (schema.focus !== undefined || words.some(word => !/^[\p{Script=Latin}\p{N}]+$/u.test(word))) return asks(question)
  const ofTables = wordsOfTables(schema.tables)
  const ofDomain = wordsOfDomain(domain)
  return words.map(stem).some(word => ofTables.has(word) || ofDomain.has(word))
}

const wordsOfTables = memoizePerObject((tables: Schema['tables']): ReadonlySet<string> => {
  const { meaningsOf } = buildLexicon()
  const texts = tables.map(indexedText).flatMap(({ rows, viewDefinition, ...named }) => Object.values(named))
  const words = telling(texts.join(' ')).map(stem)
  return new Set(words.flatMap(word => [word, ...(meaningsOf(word) ?? [])]))
})

const wordsOfDomain = memoizePerObject(({ full }: DomainPack): ReadonlySet<string> => new Set(telling(full).map(stem)))

/** Returns the words of a text that tell its subject. */
function telling(text: string): readonly string[] {
  return [...new Set(splitWords(text))].filter(word => !isCommon(word) && !isWeak(word))
}
