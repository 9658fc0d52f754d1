import { ClewError } from '../errors.ts'

/**
 * What is wrong with a pipeline's job. `definition`: it cannot be registered as it stands; `not_found`: no job of that name or id; `refused`: it would touch what is not Clew's;
 * `arguments`: not those of its definition; `operation`: one of its operations failed; `cancelled`: somebody stopped it.
 */
export type PipelineErrorKind = 'definition' | 'not_found' | 'refused' | 'arguments' | 'operation' | 'cancelled'

export class PipelineError extends ClewError {
  readonly kind: PipelineErrorKind

  constructor(message: string, options: { kind: PipelineErrorKind; cause?: unknown }) {
    super(message, { code: `pipeline_${options.kind}`, cause: options.cause })
    this.kind = options.kind
  }
}

/** What people call a run by is its id, or its job's name. */
export function noSuchJob(idOrName: string): PipelineError {
  const sentence = `No job and no run is called ${idOrName}: \`clew jobs list\` shows the jobs.`
  return new PipelineError(sentence, { kind: 'not_found' })
}

/** A run that stands in the operation log and nowhere else. */
export function loggedByOthers(id: string): PipelineError {
  const sentence = `${id} was not run by Clew: another runner has logged it. \`clew lineage ${id}\` shows what it did.`
  return new PipelineError(sentence, { kind: 'not_found' })
}
