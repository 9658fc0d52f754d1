/** The limits of queue and delivery, with their sources. Times are in milliseconds. */
export const QUEUE_LIMITS = {
  /**
   * A worker that hangs or is gone loses its thread after this long. With BullMQ's default (30 s), recovery took 60.6 s. Workers
   * renew their locks every 4 s, which leaves a busy worker or a restarting Redis 4 s to spare.
   */
  lockMs: 8_000,
  /**
   * The interval at which workers check for expired locks. Only one worker checks in each interval. If that worker dies, the time
   * until the next check can double.
   */
  stalledCheckMs: 1_000,
  /** Workers look for the jobs of dead workers at this interval. An estimate, not measured. */
  goneCheckMs: 500,
  /** A worker that has no connection to Redis for this long is treated as dead. An estimate, not measured. */
  goneMs: 1_000,
  /**
   * The check for dead workers does nothing until Redis's oldest connection is this old. After a restart of Redis, living workers
   * take up to 2 s to reconnect.
   */
  connectedMs: 3_000,
  /**
   * BullMQ restarts a stalled job at most this many times. The number is so high that it is never reached, because
   * `startsTogether` already limits the restarts of a message.
   */
  maxStalledCount: 1_000_000,
  /**
   * A message gets this many starts in a process that also answers other messages. If the process died each time, the message
   * then runs alone in a process. If that process dies too, the message is certainly the cause.
   */
  startsTogether: 2,
  /** Workers wake all threads with messages at this interval. This also wakes a thread whose job was lost. */
  sweepMs: 10_000,
  /**
   * A thread without messages stays in the index of threads for this time, because its first message may be written at any
   * moment.
   */
  indexMs: 60_000,
  /** An idle worker that closes waits at most this long for Redis. An estimate, not measured. */
  idleCloseMs: 2000,
  /** An error of a queue that goes on is told again after this time. A worker remembers so many errors. Judgments. */
  toldAgainMs: 60_000,
  knownErrors: 100,
  /** If the work on a thread fails, a worker tries the thread again after this time. */
  wakeDelayMs: 1000,
  /**
   * A message that arrives twice within this time is accepted once. Slack repeats a message for 5 min, and Discord after a lost
   * connection.
   */
  seenMs: 3_600_000,
  /** For this long after a mention, Clew also answers replies in the thread that do not mention it. */
  calledMs: 30 * 86_400_000,
  /**
   * Replies are held for this long, because the mention that calls Clew into their thread may arrive later. Slack redelivers a
   * mention after 1 and 5 min.
   */
  heldMs: 7 * 60_000,
  /**
   * A thread gets at most `mostTurns` answers within `turnsMs`. An estimate, not measured: people write fewer messages, but two
   * bots that answer each other write more. The author of the first message above the limit is told. Further messages are ignored
   * until the time is over.
   */
  mostTurns: 50,
  turnsMs: 10 * 60_000,
  ledgerMs: 86_400_000,
  fenceMs: 7 * 86_400_000,
  /**
   * A run usually learns of its cancellation at once, by an announcement. If the announcement is lost, a check at this interval
   * notices the cancellation.
   */
  cancelCheckMs: 5000,
  /** The home tab lists at most this many questions. */
  recentQuestions: 10,
  /** Each question in the home tab is cut to this length. */
  recentCharacters: 150,
  /** A person's questions are deleted this long after the last one. */
  recentMs: 7 * 86_400_000,
  /** If an asker holds too many slots, the asker's next job is delayed, at most by this time. A judgment, not a measurement. */
  shareWaitMs: 5_000,
  /**
   * While the event loop is busy, at most `startsOfBusy` jobs are under way, and one of an asker who has no other. The loop is busy
   * if it works for the share `busyShare` of `startPauseMs`. More jobs would not end sooner, but each would take longer.
   */
  startsOfBusy: 3,
  busyShare: 0.5,
  startPauseMs: 10,
  /** Finished jobs are kept for inspection for `age` seconds, and at most `count` of them. */
  finishedJobs: { age: 3600, count: 1000 },
  /**
   * The process that accepts messages tries this long to post a placeholder. The time is enough for one post with its retries.
   * After that, a worker posts the placeholder.
   */
  placeholderMs: 20_000,
  /** A process posts at most this many placeholders of one author at the same time. An estimate, not measured. */
  placeholdersOfOne: 10,
  /** The queue remembers for this long which turns people have had. */
  turnsKeptMs: 86_400_000,
  /** When a worker stops, an aborted answer has this long to stop after the grace period. */
  handBackMs: 8000,
} as const

export const LONE_LIMITS = {
  /**
   * A worker runs at most this many lone processes. A lone process is a process for a single task, in case the task kills it. An
   * estimate, not measured.
   */
  most: 2,
  /** If all lone processes are busy, a message is delayed by this time. Then any worker may take it. */
  busyWaitMs: 1000,
  /** The time limit for the start of a lone process. A worker process starts in 1 s on an idle machine. */
  startMs: 60_000,
  /** If a lone process cannot start, its message is delayed by this time. This is not counted as a start of the message. */
  unstartedWaitMs: 10_000,
  /**
   * The maximum heap of a lone process. An estimate: an answer takes about 50 MB, and the program 100 MB. The heap is never
   * larger than the worker's own maximum.
   */
  heapMb: 1024,
  /** The interval at which a lone process reports that it is alive. */
  beatMs: 5000,
  /** A lone process is killed as stuck after this many missing reports. */
  missedBeats: 12,
  /** A lone process that is told to stop has this long to give back its message. */
  stopMs: 5000,
} as const

/**
 * Messages that could not be answered are kept for this long, so that an absent operator still finds them. An estimate, not
 * measured.
 */
export const DEAD_LETTER_LIMITS = {
  retentionMs: 30 * 86_400_000,
  most: 1000,
} as const

export const DELIVERY_LIMITS = {
  /** The time limit of one request to the platform. */
  requestMs: 6000,
  /**
   * A request that timed out may still take effect within this time. An estimate, because no platform gives a number. A post that
   * arrives even later is a duplicate, and is removed when the run ends. A process holds a part for `requestMs` plus this time.
   * The sum is below the 15 s that an answer may take after a crash.
   */
  landingMs: 5000,
  /**
   * Shares of the requests that the platform allows per second. A person's first requests in a second, up to the share
   * `shareOfFirst`, may use the whole limit. Further requests of that person are made only while less than `shareOfBusy` of the
   * limit is used. An estimate, not measured.
   */
  shareOfFirst: 0.2,
  shareOfBusy: 0.6,
  /**
   * A worker waits for up to this time after a 429 (too many requests). If the platform asks for more, the thread is delayed, and
   * the worker takes other threads.
   */
  inlineWaitMs: 3000,
  inlineWaits: 5,
  /** How many times a request to an unreachable platform is repeated, and the pauses before the repeats. */
  retries: { attempts: 4, firstDelayMs: 250, maxDelayMs: 4000 },
  /**
   * A platform is left alone after this many requests in a row without an answer. One message makes half as many: five attempts at
   * a post, each with a search for it.
   */
  breakerFailures: 20,
  /** If all repeats fail, the thread waits for this time before it is tried again. */
  unavailableWaitMs: 20_000,
  /** After the platform has refused a token, a process waits for this time. Then one request tries the token again. */
  tokenWaitMs: 60_000,
  /** A message is given up if the platform stays unreachable for this long. */
  giveUpMs: 12 * 3_600_000,
  /** The time between two progress edits of one message. */
  progressIntervalMs: 1000,
  /**
   * The shorter time between two edits before the first plan, the first rows and the first words. Changes within it share one
   * edit. An estimate, not measured.
   */
  awaitedIntervalMs: 250,
  /** An edit notifies nobody. So if an answer takes longer than this, a new message mentions the author of the question. */
  notifyMs: 20_000,
  /** An answer gets a stream only once it has this many parts. A shorter answer would be complete before the stream starts. */
  streamParts: 2,
  /**
   * A run reserves one edit for its answer for this long. If it has no answer by then, the run is delayed or its worker is dead,
   * so the reservation ends.
   */
  expectedMs: 600_000,
  /** If the edit budget allows no progress edit now, the edit is tried again after this time at the latest. */
  editWaitMs: 3000,
  /** A post in a channel waits at most this long for its turn. If its turn comes later, its whole thread is delayed. */
  paceSoonMs: 2000,
  /** After this time without a post, the posts in a channel are no longer spaced out. */
  paceQuietMs: 30_000,
  /**
   * Each post multiplies the interval between posts by this factor. After ten posts without a refusal, posts are three times as
   * frequent. An estimate, not measured.
   */
  paceFactor: 0.9,
} as const

export const PRESS_LIMITS = {
  /** A worker handles this many presses of each queue at the same time. A press mostly waits for Redis and the platform. */
  concurrency: 10,
  /** A press is tried this many times. With the pauses, this covers an outage of a minute. */
  attempts: 6,
  /** The pause after the first attempt. Each further pause is twice as long as the one before. */
  firstRetryMs: 2000,
  /** The time limit for showing a reply to a press, including its files. */
  requestMs: 30_000,
  /** When a worker stops, an aborted press has this long to stop. */
  handBackMs: 1000,
  /** Handled presses are kept for `age` seconds, and at most `count` of them. Platforms redeliver within minutes. */
  finishedJobs: { age: 3600, count: 10_000 },
} as const

export const ALLOWANCE_LIMITS = {
  /** Questions and presses are counted over this period. An estimate, not measured. */
  countedMs: 10 * 60_000,
  /** Model tokens are counted over this period. An estimate, not measured. */
  spentMs: 60 * 60_000,
  /** A person is allowed this many presses in the period. An estimate: people make fewer. */
  presses: 300,
  /** A channel's allowance is this many times a person's allowance. An estimate, not measured. */
  channelFactor: 5,
} as const

export const USAGE_LIMITS = {
  /** The counters of a day are kept for this long. It must be longer than a month, which a cap may have. */
  keptMs: 92 * 86_400_000,
  /** A run or press is not counted again within this time, however often it is started again. */
  takenMs: 86_400_000,
  /**
   * A run that is silent for this long gives back what it has taken. A run tells with each call of a model that it lives. An
   * estimate, not measured.
   */
  holdMs: 10 * 60_000,
  /** Reports list at most this many people of a day, and as many channels, sources and models. */
  listed: 1_000,
  /** People are told of a cap when this share of it is used. */
  toldShare: 0.8,
  /** The time limit for counting what a run has used after it failed. */
  settleMs: 2_000,
} as const

/** The reports of processes, which the console shows. */
export const REPORT_LIMITS = {
  everyMs: 10_000,
  /** A process that is silent for this long counts as gone: it has missed three reports. */
  silentMs: 35_000,
  /** The report of a process that died is shown for this long. A judgment: an operator looks within minutes. */
  keptMs: 15 * 60_000,
  /** A report counts the errors of this time, and at most the latest `errors` of them. */
  errorsMs: 15 * 60_000,
  errors: 1_000,
  /** The time limit of the readiness checks and of writing a report. */
  writeMs: 5_000,
} as const

/** Limits of what a scrape of the metrics costs in Redis. Estimates, not measured. */
export const FIGURES_LIMITS = { threads: 1_000, messages: 100, readMs: 2_000 } as const

export const PIPELINE_LIMITS = {
  /** One worker runs this many jobs at the same time. An estimate: each job runs a few queries at a time. */
  concurrency: 2,
  /** A job is tried this many times. Another attempt is cheap, because the job continues where it stopped. */
  attempts: 5,
  /**
   * The pause after the first attempt. Each further pause is twice as long as the one before. It is short, because a person may
   * wait for a replay.
   */
  firstRetryMs: 1_000,
  /** At this interval, the schedules are made to match the definitions, and old jobs are removed. */
  keepUpMs: 60_000,
  handBackMs: 8_000,
} as const

export const REPLAY_LIMITS = {
  /**
   * One worker runs this many replays at the same time, besides its scheduled jobs. This number and those below are estimates,
   * not measured.
   */
  concurrency: 2,
  /** All workers together run at most this many replays, because they share one warehouse. */
  sideBySide: 4,
  /** At most this many replays may run or wait. A further request is refused with an explanation. */
  most: 12,
  /** A replay that has not started within this time is refused. */
  waitMs: 10 * 60_000,
  /** A process that waits for a replay checks the replay's progress at this interval. */
  lookMs: 1_000,
  /** After a replay's time limit, a worker may take this long to report that the replay was stopped. */
  endMs: 60_000,
} as const
