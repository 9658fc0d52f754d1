import type { ResolvedNode } from '../resolved-tree.ts'
import type { InputColumn } from './column-lineage.ts'

const LOOK_UP = /^(?:dictGet|joinGet)/
/** The look ahead finds the first place and no other: without it, a text full of such places takes time by its square. */
const VALUE = /^(?=(.*?(?:^|, )constant_value: ))\1(.*), constant_value_type: /s
const TEXT = /'((?:[^'\\]|\\.)*)(?:'|$)/g

/**
 * What a function reads of a dictionary or a Join table by its name: `dictGet('countries', 'name', key)`.
 * @param database that of names without one
 */
export function lookedUpColumns(
  functionName: string,
  [from, attributes]: readonly ResolvedNode[],
  database: string,
): readonly InputColumn[] {
  if (!LOOK_UP.test(functionName)) return []
  const [name] = textsOf(from)
  if (name === undefined) return []
  const table = name.includes('.') ? name : `${database}.${name}`
  return textsOf(attributes).map(column => ({ table, column, transformations: ['IDENTITY'] }))
}

/** The texts of a constant: of one, or of a tuple of them. */
function textsOf(constant: ResolvedNode | undefined): readonly string[] {
  const value = VALUE.exec(constant?.text ?? '')?.[2] ?? ''
  return [...value.matchAll(TEXT)].map(([, text = '']) => text)
}
