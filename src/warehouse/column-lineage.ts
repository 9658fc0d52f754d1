/**
 * The ways in which an input column reaches an output column, in the terms of OpenLineage's columnLineage facet. DIRECT: the value is copied
 * (IDENTITY), computed from this column (TRANSFORMATION), or computed from several rows (AGGREGATION).
 */
export const DIRECT_TRANSFORMATIONS = ['IDENTITY', 'TRANSFORMATION', 'AGGREGATION'] as const
/** INDIRECT: the input column's value is not in the result. It only decides which rows exist, or which of several values is taken. */
export const INDIRECT_TRANSFORMATIONS = ['JOIN', 'FILTER', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL'] as const
export const TRANSFORMATIONS = [...DIRECT_TRANSFORMATIONS, ...INDIRECT_TRANSFORMATIONS] as const
export type Transformation = (typeof TRANSFORMATIONS)[number]

export interface InputColumn {
  /** The table as `database.table`. For a table function, `_table_function.<name>`. */
  readonly table: string
  readonly column: string
  /** The ways in which this column is used, without duplicates. Direct transformations come first. */
  readonly transformations: readonly Transformation[]
}

/** For each column of a query's result, the input columns that it depends on. */
export interface ColumnLineage {
  /** The columns of the query's result, in order. */
  readonly fields: readonly { readonly column: string; readonly inputs: readonly InputColumn[] }[]
  /** Inputs that decide which rows exist, such as the columns in WHERE. They affect every column of the result. */
  readonly dataset: readonly InputColumn[]
}

export function isDirect(transformation: Transformation): boolean {
  return (DIRECT_TRANSFORMATIONS as readonly Transformation[]).includes(transformation)
}

/**
 * Combines two steps on the way of a value, first `inner` and then `outer`. If one of them is indirect, so is the combination. If both are
 * direct, the combination is the step that changes the value more.
 */
export function composed(outer: Transformation, inner: Transformation): Transformation {
  if (!isDirect(outer)) return outer
  if (!isDirect(inner)) return inner
  return TRANSFORMATIONS.indexOf(outer) > TRANSFORMATIONS.indexOf(inner) ? outer : inner
}

/** Merges entries for the same input column into one entry that has all their transformations. */
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

/** Adds one more step, `outer`, to each input's transformations. */
export function transformed(inputs: readonly InputColumn[], outer: Transformation): readonly InputColumn[] {
  return mergedInputs(
    inputs.map(input => ({ ...input, transformations: input.transformations.map(inner => composed(outer, inner)) })),
  )
}
