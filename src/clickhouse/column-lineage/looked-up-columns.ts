import type { InputColumn } from '../../warehouse/column-lineage.ts'
import type { ResolvedNode } from '../resolved-tree.ts'

const LOOK_UP = /^(?:dictGet|joinGet)/
/** The lookahead tries the first match only. Otherwise a text with many matches would take quadratic time. */
const VALUE = /^(?=(.*?(?:^|, )constant_value: ))\1(.*), constant_value_type: /s
const TEXT = /'((?:[^'\\]|\\.)*)(?:'|$)/g

/**
 * Returns the columns that a function reads from a dictionary or Join table by name: `dictGet('countries', 'name', key)`.
 * @param database for names without a database
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

/** Returns the texts of a constant or of a tuple of constants. */
function textsOf(constant: ResolvedNode | undefined): readonly string[] {
  const value = VALUE.exec(constant?.text ?? '')?.[2] ?? ''
  return [...value.matchAll(TEXT)].map(([, text = '']) => text)
}
