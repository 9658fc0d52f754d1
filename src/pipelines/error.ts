import { ClewError } from '../base/errors.ts'

/**
 * Why a call to the pipelines failed.
 * - `definition`: the definition cannot be registered
 * - `not_found`: no job has that name or id
 * - `refused`: the action would disturb another job, or a table that Clew did not make
 * - `arguments`: the arguments do not match the definition
 * - `operation`: an operation failed
 * - `cancelled`: somebody stopped the job
 */
export type PipelineErrorKind = 'definition' | 'not_found' | 'refused' | 'arguments' | 'operation' | 'cancelled'

export class PipelineError extends ClewError {
  readonly kind: PipelineErrorKind

  constructor(message: string, options: { kind: PipelineErrorKind; cause?: unknown }) {
    super(message, { code: `pipeline_${options.kind}`, cause: options.cause })
    this.kind = options.kind
  }
}

/** Returns the error for an unknown run. A run is named by its id or by the name of its job. */
export function noSuchJob(idOrName: string): PipelineError {
  const sentence = `No job and no run is called ${idOrName}: \`clew jobs list\` shows the jobs.`
  return new PipelineError(sentence, { kind: 'not_found' })
}

/** Returns the error for a run of another program. The operation log contains the run, but Clew has no job for it. */
export function loggedByOthers(id: string): PipelineError {
  const sentence = `${id} was not run by Clew: another runner has logged it. \`clew lineage ${id}\` shows what it did.`
  return new PipelineError(sentence, { kind: 'not_found' })
}
