import type { Schema } from '../../warehouse/schema.ts'
import type { SchemaContext, StepContext } from '../run/context.ts'
import { focusSchema } from './focus-schema.ts'

/**
 * Loads the schema as a traced step, and focuses a large catalog on the message. The result is not checkpointed, because a
 * resumed run must see the current schema.
 */
export async function loadSchema(context: StepContext & SchemaContext, signal: AbortSignal): Promise<Schema> {
  const { request, log, schemaSource } = context
  const before = request.conversation.turns.at(-1)?.standalone_question
  return log.trace({ step: 'schema' }, {}, signal, async () => {
    const schema = await schemaSource.load(signal)
    return focusSchema(context, schema, { text: request.question, ...(before && { context: before }) }, signal)
  })
}
