/** The time limit of the checks of each part. A model may take time to think, and an embedded engine may have to start. */
export const DOCTOR_LIMITS = {
  environmentMs: 1_000,
  warehouseMs: 40_000,
  redisMs: 15_000,
  modelMs: 40_000,
  platformMs: 15_000,
  filesMs: 5_000,
  accessMs: 20_000,
  pipelinesMs: 20_000,
  healthMs: 5_000,
  /** For a Redis that is starting, and for one request to a chat platform. */
  redisStartMs: 5_000,
  requestMs: 10_000,
  /** As in the log, shorter secrets are not removed. */
  secretCharacters: 6,
} as const

/** The numbers of processes and commands. The configuration has those that an operator sets. */
export const MAIN_LIMITS = {
  /** How long the rules of the last start are known, to compare them. */
  rulesSeconds: 30 * 24 * 3600,
  compareRulesMs: 10_000,
  /** Enough for two Redis look-ups per time that somebody asked the deleted question. */
  deletionMs: 10_000,
  /** Enough for three requests to the platform. */
  tellMs: 20_000,
  /** An answer shows at most this many rows of each result. */
  drawnRows: 10,
  /**
   * Chosen: the time that a stopped command gets to finish its work before its resources are closed. Such work is, for example, to record that a job
   * was stopped.
   */
  commandStopMs: 15_000,
  /** Longer than for a question, since nobody waits in a chat. */
  domainCheckMs: 10_000,
  /** A cell of the rows that `clew load` shows. */
  cellCharacters: 40,
  /**
   * After this time the demo generates its data again. Generated measurements are five minutes apart, so until then every window "up to now" has the
   * same rows.
   */
  demoWorldMs: 4 * 60_000,
  /** An investigation takes up to eleven turns of the model, a question about four. So an investigation gets this many times the time limit. */
  lineageTimeFactor: 3,
  /** The whole warm-up of a process. */
  warmUpMs: 20_000,
  /** The answer is rendered this often, since V8 optimizes only code that runs often. */
  warmUpRepeats: 40,
  /** After a stop, answers in progress may continue this long. Container platforms usually kill a process after 30 s. */
  answerGraceMs: 20_000,
  /** The limit to hand back unfinished work. After it, other workers recover the work as if this one had been killed. */
  answerStopMs: 30_000,
  /** After a stop, presses in progress may continue this long. A press usually takes less, and another worker handles an unfinished one. */
  pressGraceMs: 2_000,
  /**
   * After a stop, jobs of pipelines may continue only this long, since another worker continues them. So long jobs do not use up the time of answers.
   */
  jobGraceMs: 2_000,
  /** A job that is not handed back by then is recovered as well. */
  jobStopMs: 12_000,
  /** The warehouse's readiness: the server's time for `SELECT 1`, and the whole call's. */
  readyQueryMs: 2_000,
  readyMs: 3_000,
} as const
