/** The time limits of `clew doctor`, per part. A model may have to think, and an embedded engine may have to start. */
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
  /** The check waits this long for a Redis that is starting. */
  redisStartMs: 5_000,
  /** The time limit of one request to a chat platform. */
  requestMs: 10_000,
  /** Shorter secrets are not removed from results. The logger does not remove them either. */
  secretCharacters: 6,
} as const

/** The limits of processes and commands. Limits that an operator sets are in the configuration. */
export const MAIN_LIMITS = {
  /** The access rules of the last start are stored this long, for a comparison at the next start. */
  rulesSeconds: 30 * 24 * 3600,
  compareRulesMs: 10_000,
  /** The time limit of handling a question's deletion. It takes two Redis look-ups for each time that the question was asked. */
  deletionMs: 10_000,
  /** The time limit of telling an author about a dropped message. It takes three requests to the platform. */
  tellMs: 20_000,
  /** An answer shows at most this many rows of each result. */
  drawnRows: 10,
  /** Chosen: a stopped command gets this long to finish its work, such as recording that a job was stopped. After that, its resources are closed. */
  commandStopMs: 15_000,
  /**
   * The time limit of one check of `clew domain check`. It is longer than that of a question in a chat, because nobody waits in a chat.
   */
  domainCheckMs: 10_000,
  /** `clew load` shows at most this many characters of a cell. */
  cellCharacters: 40,
  /**
   * After this time, the demo generates its data again. Measurements are five minutes apart, so until the next one, every window "up to now" has the
   * same rows.
   */
  demoWorldMs: 4 * 60_000,
  /**
   * An investigation gets this many times the time limit of a question. It takes up to eleven turns of the model, and a question about four.
   */
  lineageTimeFactor: 3,
  /** After a stop, answers in progress may continue this long. Container platforms usually kill a process after 30 s. */
  answerGraceMs: 20_000,
  /**
   * The time limit of returning unfinished work to the queue. After this time, other workers recover the work as if this worker had been killed.
   */
  answerStopMs: 30_000,
  /** After a stop, presses in progress may continue this long. Most need less. Another worker handles an unfinished one. */
  pressGraceMs: 2_000,
  /**
   * After a stop, jobs of pipelines may continue only this long, and then another worker continues them, so that long jobs do not use up the time of
   * answers.
   */
  jobGraceMs: 2_000,
  /** The time limit of returning unfinished jobs to the queue. After this time, other workers recover the jobs. */
  jobStopMs: 12_000,
  /** The time limit of the warehouse's readiness check on the server, for `SELECT 1`. */
  readyQueryMs: 2_000,
  /** The time limit of the whole readiness check of the warehouse. */
  readyMs: 3_000,
} as const
