import type { InputColumn } from '../../warehouse/column-lineage.ts'
import type { ResolvedNode } from '../resolved-tree.ts'

const LOOK_UP = /^(?:dictGet|joinGet)/
/** The lookahead tries only the first match. Without it, a text with many matches would take quadratic time. */
const VALUE = /^(?=(.*?(?:^|, )constant_value: ))\1(.*), constant_value_type: /s
const TEXT = /'((?:[^'\\]|\\.)*)(?:'|$)/g

/**
 * Returns the columns that a function reads by name from a dictionary or Join table: `dictGet('countries', 'name', key)`.
 * @param database the database of names without one
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

/** Returns the text of a constant, or all texts of a tuple of constants. */
function textsOf(constant: ResolvedNode | undefined): readonly string[] {
  const value = VALUE.exec(constant?.text ?? '')?.[2] ?? ''
  return [...value.matchAll(TEXT)].map(([, text = '']) => text)
}
