import { migrateState, reachWriter } from '../pipelines.ts'
import { type CommandContext, EXIT } from './command-context.ts'

/** `clew migrate`: creates Clew's own tables in the warehouse, or brings them up to date. */
export async function migrateCommand(context: CommandContext): Promise<number> {
  const warehouse = await reachWriter(context, context.signal, { createsFolder: true })
  const applied = await migrateState(context, warehouse, context.signal)
  const { stateDatabase, database } = context.config.pipelines
  const done = applied.length === 0 ? 'is up to date' : `has been brought up to date: ${applied.join(', ')}`
  context.output.write(`The database ${stateDatabase} ${done}. Jobs fill tables in ${database}.\n`)
  return EXIT.answered
}
