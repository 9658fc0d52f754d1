import type { Schema } from '../../warehouse/schema.ts'
import type { TablesAsk } from '../../warehouse/schema-source.ts'
import type { SchemaContext, StepContext } from '../run/context.ts'
import { focusSchema } from './focus-schema.ts'

/**
 * Loads the schema as a traced step, and focuses a large catalog on the message. The result is not checkpointed, because a
 * resumed run must see the current schema.
 */
export async function loadSchema(context: StepContext & SchemaContext, signal: AbortSignal): Promise<Schema> {
  const { request, log, schemaSource } = context
  return log.trace({ step: 'schema' }, {}, signal, async () => {
    const schema = await schemaSource.load(signal)
    return focusSchema(context, schema, tablesAsk(request), signal)
  })
}

/** Returns a message as a search for tables: with the question before it. */
export function tablesAsk({ question, conversation }: SchemaContext['request']): TablesAsk {
  const before = conversation.turns.at(-1)?.standalone_question
  return { text: question, ...(before && { context: before }) }
}
