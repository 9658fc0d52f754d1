/** The time limits of `clew doctor` for each part. A model may have to think, and an embedded engine has to start. */
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
  /** If Redis is still starting, the check waits this long for it. */
  redisStartMs: 5_000,
  /** The time limit of one request to a chat platform. */
  requestMs: 10_000,
  /** Shorter secrets stay in the report and in the log, because removing them would break words. */
  secretCharacters: 6,
} as const

/** The limits of processes and commands that an operator cannot set. */
export const MAIN_LIMITS = {
  /**
   * Each process stores a fingerprint of its access rules for this long. The next process that starts compares its own rules with
   * it.
   */
  rulesSeconds: 30 * 24 * 3600,
  compareRulesMs: 10_000,
  /** The time limit for handling a deleted question. Each run of the question takes two Redis look-ups. */
  deletionMs: 10_000,
  /** The time limit for telling an author that a message was dropped. This takes three requests to the platform. */
  tellMs: 20_000,
  /** An answer shows at most this many rows of each result. */
  drawnRows: 10,
  /**
   * A stopped command gets this long to finish its work, such as recording that a job was stopped. Then its resources are closed. A
   * judgment.
   */
  commandStopMs: 15_000,
  /**
   * The time limit of one check of `clew domain check`. It is longer than the limit of the same check in a chat, because here
   * nobody waits for an answer.
   */
  domainCheckMs: 10_000,
  /** A preview of `clew load` shows at most this many characters of a cell. */
  cellCharacters: 40,
  /**
   * After this time, the demo generates its data again. Its measurements are five minutes apart. So within this time, every
   * window "up to now" still has the rows that the recorded answers describe.
   */
  demoWorldMs: 4 * 60_000,
  /**
   * An investigation gets this many times the time limit of a question. An investigation takes up to eleven turns of the model,
   * and a question takes about four.
   */
  lineageTimeFactor: 3,
  /** When a worker is stopped, running answers may continue this long. Container platforms usually kill a process after 30 s. */
  answerGraceMs: 20_000,
  /**
   * The time limit of returning unfinished work to the queue. After this time, other workers recover the work as if this worker had been killed.
   */
  answerStopMs: 30_000,
  /** When a worker is stopped, running presses may continue this long. Most need less, and another worker handles an unfinished press. */
  pressGraceMs: 2_000,
  /**
   * When a worker is stopped, running jobs of pipelines may continue this long. Then another worker continues them. The time is
   * short, so that jobs do not use up the time that answers need.
   */
  jobGraceMs: 2_000,
  /** The time limit for returning unfinished jobs to the queue. After this time, other workers take the jobs anyway. */
  jobStopMs: 12_000,
  /** The time limit that the server itself applies to the `SELECT 1` of the readiness check. */
  readyQueryMs: 2_000,
  /** The time limit of the whole readiness check of the warehouse, including the network. */
  readyMs: 3_000,
} as const
