import { createHash } from 'node:crypto'
import type { Combine, NodeId, Post, SubQuery } from './plan.ts'

/** Stands in each id. A change of what a plan's fields mean changes it, so that no stored result is taken for another. */
const VERSION = 1
const ID_DIGITS = 12

/**
 * Returns the id of a node from its content. The key that the model gave it does not count, nor does the order of its fields.
 * @param definition names its inputs by their ids
 */
export function scanId({ key: _, question, ...content }: SubQuery): NodeId {
  return idOf('sq', { ...content, question: folded(question) })
}

export function combineId({ key: _, ...content }: Combine): NodeId {
  return idOf('cg', content)
}

export function postId({ key: _, question, ...content }: Post): NodeId {
  return idOf('op', { ...content, question: folded(question) })
}

/** Returns the inputs of a union in the order of their ids, in which its rows do not depend on the order of the draft. */
export function inIdOrder(inputs: readonly { input: NodeId; label: string }[]): { input: NodeId; label: string }[] {
  const sortKey = ({ input, label }: { input: NodeId; label: string }) => `${input} ${label}`
  return [...inputs].sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
}

function idOf(prefix: 'sq' | 'cg' | 'op', content: object): NodeId {
  const hash = createHash('sha256')
    .update(canonicalJson({ ...content, version: VERSION }))
    .digest('hex')
  return `${prefix}_${hash.slice(0, ID_DIGITS)}`
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
