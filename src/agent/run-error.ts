import { ClewError } from '../errors.ts'

/** A run that ended without an answer for a reason of its own. */
export class RunError extends ClewError {
  static timedOut(limitMs: number): RunError {
    return new RunError(
      `This took longer than the ${Math.round(limitMs / 1000)} s allowed, so I stopped. Ask for a shorter period or a simpler question, or raise CLEW_RUN_TIMEOUT_S.`,
      { code: 'run_timeout' },
    )
  }

  static otherAccess(): RunError {
    return new RunError('What you may ask about has changed since you asked this. Please ask again.', { code: 'run_access' })
  }

  /** The answer to what a run stopped to ask came after the run had been forgotten. */
  static forgotten(): RunError {
    return new RunError('That is too long ago: I no longer have what I had found out. Please ask again.', {
      code: 'run_forgotten',
    })
  }
}
