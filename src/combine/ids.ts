import { createHash } from 'node:crypto'
import type { Combine, NodeId, PlanNode, Post, SubQuery } from './plan.ts'

/** Stands in each id. A change of what a plan's fields mean changes it, so that no stored result is taken for another. */
const VERSION = 1
const ID_DIGITS = 12
const PREFIXES = { scan: 'sq', combine: 'cg', post: 'op' } as const satisfies Record<PlanNode['stage'], string>

/**
 * Returns the id of a node from its content. The key that the model gave it does not count, nor does the order of its fields.
 * @param definition names its inputs by their ids
 */
export function nodeId(stage: PlanNode['stage'], { key: _, ...content }: SubQuery | Combine | Post): NodeId {
  const question = 'question' in content && { question: folded(content.question) }
  const json = canonicalJson({ ...content, ...question, version: VERSION })
  return `${PREFIXES[stage]}_${createHash('sha256').update(json).digest('hex').slice(0, ID_DIGITS)}`
}

/** Returns the inputs of a union in the order of their ids, in which its rows do not depend on the order of the draft. */
export function inIdOrder(inputs: readonly { input: NodeId; label: string }[]): { input: NodeId; label: string }[] {
  const sortKey = ({ input, label }: { input: NodeId; label: string }) => `${input} ${label}`
  return [...inputs].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
}

/** The same question with other white space or another Unicode form is the same one. A value of a filter stays as it is. */
function folded(question: string): string {
  return question.normalize('NFC').replace(/\s+/g, ' ').trim()
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
}
