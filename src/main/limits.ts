/**
 * The time limits of `clew doctor`, per part. The limits for a model and an embedded engine are long, because a model may think
 * and an engine must start.
 */
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
  /** The time limit for connecting to one of several data sources. An embedded engine takes up to a few seconds. */
  openSourceMs: 20_000,
  /**
   * Each process stores a digest of its access rules for this long. The next process that starts compares its own rules with it.
   */
  rulesSeconds: 30 * 24 * 3600,
  compareRulesMs: 10_000,
  /** The most bytes of one page of audit lines from ClickHouse. A line takes less than 1 kB. */
  auditPageBytes: 10_000_000,
  /** The time limit for handling a deleted question. Each run of the question takes two Redis look-ups. */
  deletionMs: 10_000,
  /** The time limit for telling an author that a message was dropped. This needs three requests to the platform. */
  tellMs: 20_000,
  /** An answer shows at most this many rows of each result. */
  drawnRows: 10,
  /** A report of use shows so many rows of each kind, and names so many as the most expensive ones. Judgments. */
  reportedRows: 20,
  namedInReport: 3,
  /**
   * When a command is stopped, it may take this long to finish its work, such as recording that a job was stopped. Then its
   * resources are closed. An estimate, not measured.
   */
  commandStopMs: 15_000,
  /**
   * The time limit of one check of `clew domain check`. It is longer than for the same check in a chat, where a person waits for
   * an answer.
   */
  domainCheckMs: 10_000,
  /** A preview of `clew load` shows at most this many characters of a cell. */
  cellCharacters: 40,
  /**
   * After this time, the demo generates its data again. The time is shorter than the five minutes between two measurements in the
   * data. So a period "up to now" lacks one measurement at most. The recorded periods end at the latest measurement.
   */
  demoWorldMs: 4 * 60_000,
  /**
   * An investigation may take this many times as long as a question. It needs up to eleven turns of the model, and a question
   * needs about four.
   */
  lineageTimeFactor: 3,
  /** When a worker is stopped, running answers may continue this long. Container platforms usually kill a process after 30 s. */
  answerGraceMs: 20_000,
  /**
   * The time limit for returning unfinished work to the queue when a worker stops. After that, other workers take over the work,
   * as if this worker had been killed.
   */
  answerStopMs: 30_000,
  /**
   * When a worker is stopped, running presses may continue this long. Most need less time. Another worker handles an unfinished
   * press.
   */
  pressGraceMs: 2_000,
  /**
   * When a worker is stopped, running jobs of pipelines may continue this long. Then another worker continues them. The time is
   * short, because answers need the time before the process ends.
   */
  jobGraceMs: 2_000,
  /** The time limit for returning unfinished jobs to the queue. After this time, other workers take the jobs anyway. */
  jobStopMs: 12_000,
  /** The time limit for the `SELECT 1` of the readiness check. The server applies it. */
  readyQueryMs: 2_000,
  /** The time limit of the whole readiness check of the warehouse, including the network. */
  readyMs: 3_000,
} as const
