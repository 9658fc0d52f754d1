import { z } from 'zod'
import { parseJson } from '../../base/text/parse-json.ts'
import {
  type ColumnLineage,
  type InputColumn,
  isDirect,
  mergedInputs,
  TRANSFORMATIONS,
  type Transformation,
} from '../../warehouse/column-lineage.ts'
import { PIPELINES_LIMITS } from '../limits.ts'

/**
 * The facet format (OpenLineage) requires a namespace. There is only one, because all tables of a log are in the same warehouse.
 */
const NAMESPACE = 'clickhouse'

/**
 * An input field in the format of https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json. Earlier versions of
 * the format lack `transformations`, so the field has a default.
 */
const inputFieldSchema = z.object({
  name: z.string(),
  field: z.string(),
  transformations: z
    .array(z.object({ type: z.enum(['DIRECT', 'INDIRECT']), subtype: z.string().nullish() }))
    .default([{ type: 'DIRECT' }]),
})
const facetSchema = z.object({
  fields: z.record(z.string(), z.object({ inputFields: z.array(inputFieldSchema) })),
  dataset: z.array(inputFieldSchema).default([]),
})

/**
 * Writes column lineage as JSON for the operation log. Returns an empty text if the lineage is unknown, or too large to be of
 * use.
 */
export function writeFacet(lineage: ColumnLineage | undefined): string {
  if (lineage === undefined) return ''
  const text = JSON.stringify({
    fields: Object.fromEntries(lineage.fields.map(({ column, inputs }) => [column, { inputFields: inputs.map(inputField) }])),
    dataset: lineage.dataset.map(inputField),
  })
  return text.length <= PIPELINES_LIMITS.facetCharacters ? text : ''
}

/** Parses column lineage in JSON. Returns undefined if it is invalid, because any program may write to the log. */
export function readFacet(text: string): ColumnLineage | undefined {
  if (text === '' || text.length > PIPELINES_LIMITS.facetCharacters) return undefined
  const facet = facetSchema.safeParse(parseJson(text))
  if (!facet.success) return undefined
  const { fields, dataset } = facet.data
  return {
    fields: Object.entries(fields).map(([column, { inputFields }]) => ({ column, inputs: inputColumns(inputFields) })),
    dataset: inputColumns(dataset),
  }
}

function inputField({ table, column, transformations }: InputColumn) {
  return {
    namespace: NAMESPACE,
    name: table,
    field: column,
    transformations: transformations.map(subtype => ({ type: isDirect(subtype) ? 'DIRECT' : 'INDIRECT', subtype })),
  }
}

function inputColumns(fields: readonly z.output<typeof inputFieldSchema>[]): readonly InputColumn[] {
  return mergedInputs(
    fields.map(({ name, field, transformations }) => ({
      table: name,
      column: field,
      transformations: transformations.map(transformationOf),
    })),
  )
}

/**
 * Returns Clew's own transformation for that of an input field. Other programs may leave out the subtype, or use subtypes of
 * their own.
 */
function transformationOf({
  type,
  subtype,
}: {
  readonly type: 'DIRECT' | 'INDIRECT'
  readonly subtype?: string | null | undefined
}): Transformation {
  const known = TRANSFORMATIONS.find(transformation => transformation === subtype)
  if (known !== undefined && isDirect(known) === (type === 'DIRECT')) return known
  return type === 'DIRECT' ? 'TRANSFORMATION' : 'CONDITIONAL'
}
