/**
 * How an input column reaches an output column, in the terms of OpenLineage's columnLineage facet. DIRECT: the value is copied
 * (IDENTITY), computed from this column (TRANSFORMATION), or computed from several rows (AGGREGATION).
 */
export const DIRECT_TRANSFORMATIONS = ['IDENTITY', 'TRANSFORMATION', 'AGGREGATION'] as const
/**
 * INDIRECT: the output does not contain the input column's value. The column only decides which rows exist, or which of several
 * values is taken.
 */
export const INDIRECT_TRANSFORMATIONS = ['JOIN', 'FILTER', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL'] as const
export const TRANSFORMATIONS = [...DIRECT_TRANSFORMATIONS, ...INDIRECT_TRANSFORMATIONS] as const
export type Transformation = (typeof TRANSFORMATIONS)[number]

export interface InputColumn {
  /** The table as `database.table`. A table function is written as `_table_function.<name>`. */
  readonly table: string
  readonly column: string
  /** How the column is used, without duplicates. Direct transformations come first. */
  readonly transformations: readonly Transformation[]
}

/** Lists the input columns on which each column of a query's result depends. */
export interface ColumnLineage {
  /** The columns of the query's result, from left to right. */
  readonly fields: readonly { readonly column: string; readonly inputs: readonly InputColumn[] }[]
  /** Inputs that decide which rows exist, such as the columns in WHERE. They affect every column of the result. */
  readonly dataset: readonly InputColumn[]
}

export function isDirect(transformation: Transformation): boolean {
  return (DIRECT_TRANSFORMATIONS as readonly Transformation[]).includes(transformation)
}

/**
 * Combines two successive steps from an input to an output: first `inner`, then `outer`. If a step is indirect, the result is
 * indirect. If both are direct, the result is the step that changes the value more.
 */
export function composed(outer: Transformation, inner: Transformation): Transformation {
  if (!isDirect(outer)) return outer
  if (!isDirect(inner)) return inner
  return TRANSFORMATIONS.indexOf(outer) > TRANSFORMATIONS.indexOf(inner) ? outer : inner
}

/** Merges entries of the same input column into one entry with all their transformations. */
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

/** Appends the step `outer` to the transformations of each input. */
export function transformed(inputs: readonly InputColumn[], outer: Transformation): readonly InputColumn[] {
  return mergedInputs(
    inputs.map(input => ({ ...input, transformations: input.transformations.map(inner => composed(outer, inner)) })),
  )
}
