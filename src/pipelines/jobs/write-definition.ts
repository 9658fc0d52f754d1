import { stringify } from 'yaml'
import type { JobDefinition, jobDefinitionSchema } from './definition.ts'

/** The parts of a definition that a program writes. `parseJobDefinition` checks them and fills in the rest. */
export type WrittenDefinition = Pick<
  JobDefinition,
  'name' | 'description' | 'arguments' | 'target' | 'schedule' | 'time_zone'
> & {
  readonly inputs: Readonly<Record<string, { readonly source: string; readonly description: string }>>
  readonly operations: readonly { readonly name: string; readonly description: string; readonly sql: string }[]
}

/** Writes a definition as the YAML that `parseJobDefinition` reads. Leaves out empty parts and defaults. */
export function writeJobDefinition(definition: WrittenDefinition): string {
  const { name, description, arguments: values, inputs, operations, target, schedule, time_zone: timeZone } = definition
  const told = (text: string) => (text === '' ? {} : { description: text })
  const written = {
    name,
    ...told(description),
    ...(Object.keys(values).length > 0 && { arguments: values }),
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([input, { source, description: of }]) => [input, { ...told(of), source: multiline(source) }]),
    ),
    operations: operations.map(({ name: operation, description: of, sql }) => ({
      name: operation,
      ...told(of),
      sql: multiline(sql),
    })),
    target,
    ...(schedule !== undefined && { schedule, time_zone: timeZone }),
  } satisfies Partial<Record<keyof typeof jobDefinitionSchema.shape, unknown>>
  return stringify(written, { lineWidth: 0 })
}

/** YAML writes a text with line breaks as a block only if no line ends with a blank. */
function multiline(sql: string): string {
  return sql
    .split('\n')
    .map(line => line.replaceAll('\t', '  ').trimEnd())
    .join('\n')
    .trim()
}
