import { type ResolvedNode, resolvedElements } from '../resolved-tree.ts'
import { joinedArray, placeOf, projected, type ResolvedSources } from './resolved-sources.ts'

const INDEX = /(?:^|, )constant_value: UInt64_(\d+),/
const NAME = /(?:^|, )constant_value: '((?:[^'\\]|\\.)*)',/
const NAMES = /^(?=(.*?(?:^|, )constant_value: Array_\[))\1(.*)\],/

/**
 * What alone an element of a tuple comes from, where the tree shows how the tuple was made: `tuple(a, b).2` from b, `n.x` behind ARRAY JOIN n from the column n.x. Undefined where
 * the element comes from the tuple as a whole.
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

/** The call of `tuple`, or of `nested`, as which the engine puts the columns of a Nested together again. */
function madeBy(node: ResolvedNode, sources: ResolvedSources): ResolvedNode | undefined {
  if (node.kind === 'FUNCTION') return /(?:^|, )function_name: (?:tuple|nested),/.test(node.text) ? node : undefined
  if (node.kind !== 'COLUMN') return undefined
  const reference = sources.reference(node)
  if (reference.source.kind === 'QUERY') return madeBy(projected(reference.source, placeOf(reference)), sources)
  return reference.source.kind === 'ARRAY_JOIN' ? madeBy(joinedArray(reference.source, reference.name), sources) : undefined
}
