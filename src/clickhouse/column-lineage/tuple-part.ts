import { type ResolvedNode, resolvedElements } from '../resolved-tree.ts'
import { columnIndex, joinedArray, projected, type ResolvedSources } from './resolved-sources.ts'

const INDEX = /(?:^|, )constant_value: UInt64_(\d+),/
const NAME = /(?:^|, )constant_value: '((?:[^'\\]|\\.)*)',/
const NAMES = /^(?=(.*?(?:^|, )constant_value: Array_\[))\1(.*)\],/

/**
 * Returns the expression behind one tuple element, if the tree shows how the tuple was made. For `tuple(a, b).2`, this is `b`.
 * For `n.x` after ARRAY JOIN n, it is the column `n.x`. Returns undefined if the tree does not show it.
 * @param element a call of tupleElement
 */
export function tuplePart(element: ResolvedNode, sources: ResolvedSources): ResolvedNode | undefined {
  const [tuple, key] = resolvedElements(element, 'ARGUMENTS')
  if (tuple === undefined || key === undefined) return undefined
  const made = madeBy(tuple, sources)
  if (made === undefined) return undefined
  const [names, ...parts] = resolvedElements(made, 'ARGUMENTS')
  const index = INDEX.exec(key.text)?.[1]
  if (/(?:^|, )function_name: tuple,/.test(made.text)) {
    return index === undefined ? undefined : resolvedElements(made, 'ARGUMENTS')[Number(index) - 1]
  }
  const known = (NAMES.exec(names?.text ?? '')?.[2] ?? '').split(', ')
  const place = index === undefined ? known.indexOf(`'${NAME.exec(key.text)?.[1]}'`) : Number(index) - 1
  return parts[place]
}

/** Returns the call that made a tuple: `tuple`, or `nested`, by which the engine rebuilds a Nested column from its subcolumns. */
function madeBy(node: ResolvedNode, sources: ResolvedSources): ResolvedNode | undefined {
  if (node.kind === 'FUNCTION') return /(?:^|, )function_name: (?:tuple|nested),/.test(node.text) ? node : undefined
  if (node.kind !== 'COLUMN') return undefined
  const reference = sources.reference(node)
  if (reference.source.kind === 'QUERY') return madeBy(projected(reference.source, columnIndex(reference)), sources)
  return reference.source.kind === 'ARRAY_JOIN' ? madeBy(joinedArray(reference.source, reference.name), sources) : undefined
}
