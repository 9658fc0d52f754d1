/**
 * How an input column reaches an output, in the terms of OpenLineage's columnLineage facet. DIRECT means the value is copied (IDENTITY), computed
 * from it (TRANSFORMATION) or from several rows (AGGREGATION).
 */
export const DIRECT_TRANSFORMATIONS = ['IDENTITY', 'TRANSFORMATION', 'AGGREGATION'] as const
/** INDIRECT means the column decides which rows exist, or which of several values is taken. */
export const INDIRECT_TRANSFORMATIONS = ['JOIN', 'FILTER', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL'] as const
export const TRANSFORMATIONS = [...DIRECT_TRANSFORMATIONS, ...INDIRECT_TRANSFORMATIONS] as const
export type Transformation = (typeof TRANSFORMATIONS)[number]

export interface InputColumn {
  /** `database.table`, or `_table_function.<name>` for a table function. */
  readonly table: string
  readonly column: string
  /** Without duplicates, direct ones first. */
  readonly transformations: readonly Transformation[]
}

/** The input columns of a query's result. */
export interface ColumnLineage {
  /** The result's columns in order. */
  readonly fields: readonly { readonly column: string; readonly inputs: readonly InputColumn[] }[]
  /** Inputs that decide which rows exist, and so affect every column. */
  readonly dataset: readonly InputColumn[]
}

export function isDirect(transformation: Transformation): boolean {
  return (DIRECT_TRANSFORMATIONS as readonly Transformation[]).includes(transformation)
}

/** Combines two steps: `inner` first, then `outer`. An indirect step makes the whole indirect. Of two direct ones the stronger counts. */
export function composed(outer: Transformation, inner: Transformation): Transformation {
  if (!isDirect(outer)) return outer
  if (!isDirect(inner)) return inner
  return TRANSFORMATIONS.indexOf(outer) > TRANSFORMATIONS.indexOf(inner) ? outer : inner
}

/** Merges the uses of each input column. */
export function mergedInputs(inputs: readonly InputColumn[]): readonly InputColumn[] {
  const merged = new Map<string, InputColumn>()
  for (const input of inputs) {
    const key = JSON.stringify([input.table, input.column])
    const all = new Set([...(merged.get(key)?.transformations ?? []), ...input.transformations])
    const { table, column } = input
    merged.set(key, { table, column, transformations: TRANSFORMATIONS.filter(transformation => all.has(transformation)) })
  }
  return [...merged.values()]
}

/** Applies one more step to all inputs. */
export function transformed(inputs: readonly InputColumn[], outer: Transformation): readonly InputColumn[] {
  return mergedInputs(
    inputs.map(input => ({ ...input, transformations: input.transformations.map(inner => composed(outer, inner)) })),
  )
}
