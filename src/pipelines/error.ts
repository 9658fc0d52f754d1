import { ClewError } from '../base/errors.ts'

/**
 * `definition`: cannot be registered. `not_found`: no job of that name or id. `refused`: would affect something outside Clew. `arguments`: do not
 * match the definition. `operation`: an operation failed. `cancelled`: somebody stopped it.
 */
export type PipelineErrorKind = 'definition' | 'not_found' | 'refused' | 'arguments' | 'operation' | 'cancelled'

export class PipelineError extends ClewError {
  readonly kind: PipelineErrorKind

  constructor(message: string, options: { kind: PipelineErrorKind; cause?: unknown }) {
    super(message, { code: `pipeline_${options.kind}`, cause: options.cause })
    this.kind = options.kind
  }
}

/** People refer to a run by its id or its job's name. */
export function noSuchJob(idOrName: string): PipelineError {
  const sentence = `No job and no run is called ${idOrName}: \`clew jobs list\` shows the jobs.`
  return new PipelineError(sentence, { kind: 'not_found' })
}

/** For a run that only the operation log knows. */
export function loggedByOthers(id: string): PipelineError {
  const sentence = `${id} was not run by Clew: another runner has logged it. \`clew lineage ${id}\` shows what it did.`
  return new PipelineError(sentence, { kind: 'not_found' })
}
