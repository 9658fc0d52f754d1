import { z } from 'zod'
import {
  type ColumnLineage,
  type InputColumn,
  isDirect,
  mergedInputs,
  TRANSFORMATIONS,
  type Transformation,
} from '../../clickhouse/column-lineage/column-lineage.ts'

/** What a name belongs to, which the facet asks for: the tables of a log are all of one warehouse. */
const NAMESPACE = 'clickhouse'
/** A table of a thousand columns needs about half of it. */
const MOST_CHARACTERS = 500_000

/** As https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json has it. Earlier versions have no transformations. */
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

/** Column lineage as the operation log has it; empty where it is not known, or of more columns than anybody could follow. */
export function writeFacet(lineage: ColumnLineage | undefined): string {
  if (lineage === undefined) return ''
  const text = JSON.stringify({
    fields: Object.fromEntries(lineage.fields.map(({ column, inputs }) => [column, { inputFields: inputs.map(inputField) }])),
    dataset: lineage.dataset.map(inputField),
  })
  return text.length <= MOST_CHARACTERS ? text : ''
}

/** What another runner wrote may be anything: undefined where it is no such facet. */
export function readFacet(text: string): ColumnLineage | undefined {
  if (text === '' || text.length > MOST_CHARACTERS) return undefined
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

/** A runner may leave the subtype out, or have one of its own. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
