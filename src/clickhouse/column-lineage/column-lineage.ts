/**
 * How an input column reaches an output, in the terms of OpenLineage's columnLineage facet. Its type DIRECT: the value is copied (IDENTITY), computed from it (TRANSFORMATION) or
 * from its values in several rows (AGGREGATION).
 */
export const DIRECT_TRANSFORMATIONS = ['IDENTITY', 'TRANSFORMATION', 'AGGREGATION'] as const
/** Its type INDIRECT: the column decides which rows there are, or which of several values is taken. */
export const INDIRECT_TRANSFORMATIONS = ['JOIN', 'FILTER', 'GROUP_BY', 'SORT', 'WINDOW', 'CONDITIONAL'] as const
export const TRANSFORMATIONS = [...DIRECT_TRANSFORMATIONS, ...INDIRECT_TRANSFORMATIONS] as const
export type Transformation = (typeof TRANSFORMATIONS)[number]

/** A column of a table that is read. */
export interface InputColumn {
  /** `database.table`; `_table_function.<name>` where a table function stands in its place. */
  readonly table: string
  readonly column: string
  /** Each once, direct ones first. */
  readonly transformations: readonly Transformation[]
}

/** Which input columns feed the result of a query. */
export interface ColumnLineage {
  /** The columns of the result, in their order. */
  readonly fields: readonly { readonly column: string; readonly inputs: readonly InputColumn[] }[]
  /** What decides which rows there are, and with it every column. */
  readonly dataset: readonly InputColumn[]
}

export function isDirect(transformation: Transformation): boolean {
  return (DIRECT_TRANSFORMATIONS as readonly Transformation[]).includes(transformation)
}

/**
 * Two steps as one: `inner` made of an input column what `outer` makes the result of. What once only decided never becomes a value again; of two direct steps the
 * one that does more counts.
 */
export function composed(outer: Transformation, inner: Transformation): Transformation {
  if (!isDirect(outer)) return outer
  if (!isDirect(inner)) return inner
  return TRANSFORMATIONS.indexOf(outer) > TRANSFORMATIONS.indexOf(inner) ? outer : inner
}

/** Input columns, each once, with all the ways in which it is used. */
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

/** The same columns after one more step. */
export function transformed(inputs: readonly InputColumn[], outer: Transformation): readonly InputColumn[] {
  return mergedInputs(
    inputs.map(input => ({ ...input, transformations: input.transformations.map(inner => composed(outer, inner)) })),
  )
}
