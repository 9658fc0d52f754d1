/** The limits of queue and delivery, with their sources. Times are in milliseconds. */
export const QUEUE_LIMITS = {
  /**
   * A worker that hangs, or that is gone with its machine, loses its thread after this long. With BullMQ's default (30 s), recovery took
   * 60.6 s. Workers renew locks every 4 s, so a busy worker or a restarting Redis has 4 s to spare.
   */
  lockMs: 8_000,
  /**
   * How often workers check for expired locks. Workers take turns through a key that lives this long. If a worker dies in its turn, the
   * time can double.
   */
  stalledCheckMs: 1_000,
  /**
   * Chosen: the interval at which the jobs of unconnected workers are checked (`goneCheckMs`). A worker that is unconnected for `goneMs` counts as
   * dead.
   */
  goneCheckMs: 500,
  goneMs: 1_000,
  /**
   * Redis's list of connections is used only if its oldest connection is at least this old. After a restart of Redis, workers reconnect
   * within 2 s.
   */
  connectedMs: 3_000,
  /**
   * A stalled job may start again this often. The number is high, so that BullMQ never fails such a job. `startsTogether` finds out which
   * message kills its worker.
   */
  maxStalledCount: 1_000_000,
  /**
   * A message runs this many times beside others. If the worker died each time, the message then runs alone, so that a further death is
   * certainly its own fault.
   */
  startsTogether: 2,
  /** At this interval, workers wake all threads with messages, even if a thread's job is lost. */
  sweepMs: 10_000,
  /** A thread without messages stays in the index this long, because its first message may be about to be written. */
  indexMs: 60_000,
  /** Chosen: an idle worker that closes waits this long for Redis. */
  idleCloseMs: 2000,
  /** A thread is woken again this long after a failed drain. */
  wakeDelayMs: 1000,
  /** A message that is delivered twice within this time is accepted once. Slack redelivers for 5 min, and Discord replays a session. */
  seenMs: 3_600_000,
  /** After a mention, Clew listens for this long to replies in the thread that do not mention it. */
  calledMs: 30 * 86_400_000,
  /**
   * A reply may arrive before the mention that calls Clew into its thread. The reply is held this long, because Slack redelivers a mention
   * after 1 and 5 min.
   */
  heldMs: 7 * 60_000,
  /**
   * Chosen: a thread gets `mostTurns` answers within `turnsMs`. People write fewer messages, and two programs that answer each other write
   * more. The author of the next message is told, and following messages are ignored until the time is over.
   */
  mostTurns: 50,
  turnsMs: 10 * 60_000,
  ledgerMs: 86_400_000,
  fenceMs: 7 * 86_400_000,
  /** Usually an announcement stops a cancelled run at once. A check at this interval helps if the announcement is lost. */
  cancelCheckMs: 5000,
  /**
   * The home tab lists `recentQuestions` questions, each cut to `recentCharacters`. Questions are kept for `recentMs` after the person's
   * last question.
   */
  recentQuestions: 10,
  recentCharacters: 150,
  recentMs: 7 * 86_400_000,
  /** Chosen: a worker has this share of additional slots, beyond the number that one asker may hold. So other askers get a slot. */
  shareOfOthers: 0.25,
  /** Chosen: a job that waits because its asker holds too many slots tries again after this long at the latest. */
  shareWaitMs: 5_000,
  /** Finished jobs are kept for inspection for `age` seconds, and at most `count` of them. */
  finishedJobs: { age: 3600, count: 1000 },
  /**
   * The accepting process tries this long to post a placeholder, which is enough for one post with its retries. After that, a worker shows
   * the placeholder.
   */
  placeholderMs: 20_000,
  /** The queue remembers the turns of askers for this long. */
  turnsKeptMs: 86_400_000,
  /** When the grace is over, an aborted answer and a post under way may take this long. */
  handBackMs: 8000,
} as const

export const LONE_LIMITS = {
  /** Chosen: the most lone processes of one worker. */
  most: 2,
  /** If all lone processes are busy, a message is delayed this long. Any worker may then take it. */
  busyWaitMs: 1000,
  /** A lone process must start within this time. A worker starts in 1 s on an idle machine. */
  startMs: 60_000,
  /** If a lone process cannot start, its message is delayed this long. The message is not blamed. */
  unstartedWaitMs: 10_000,
  /**
   * Chosen: the heap of a lone process. An answer takes about 50 MB beside the program's 100 MB. The heap is never larger than the worker's
   * own heap limit.
   */
  heapMb: 1024,
  /** A lone process sends a heartbeat at this interval. After this many missed beats, it counts as stuck. */
  beatMs: 5000,
  missedBeats: 12,
  /** A lone process that must stop has this long to hand back its message. */
  stopMs: 5000,
} as const

/** Chosen: dead letters are kept long enough for an operator who is away. */
export const DEAD_LETTER_LIMITS = {
  retentionMs: 30 * 86_400_000,
  most: 1000,
} as const

export const DELIVERY_LIMITS = {
  /** The time limit of one request to the platform. */
  requestMs: 6000,
  /**
   * Chosen, because no platform gives a number: an abandoned request may still arrive within this time. A post that arrives later is a
   * duplicate, which is removed when the run ends. A process holds a part for `requestMs` plus this time. The sum is below the 15 s that an
   * answer may take after a crash.
   */
  landingMs: 5000,
  /** Chosen: one person's messages and presses may use this share of the requests that the platform allows in a second. */
  shareOfOne: 0.6,
  /** A worker waits out a 429 of up to this long. A longer 429 delays the thread and frees the worker. */
  inlineWaitMs: 3000,
  inlineWaits: 5,
  /** A request to an unreachable platform gets this many attempts. Then its thread waits for `unavailableWaitMs`. */
  retries: { attempts: 4, firstDelayMs: 250, maxDelayMs: 4000 },
  unavailableWaitMs: 20_000,
  /** After the platform has refused a token, each process waits this long before it tries the token again, with one request. */
  tokenWaitMs: 60_000,
  /** If the platform stays unreachable this long, the message is given up. */
  giveUpMs: 12 * 3_600_000,
  /** The time between two progress edits of one message. */
  progressIntervalMs: 1000,
  /** Chosen: the plan, the first rows and the first words appear after this shorter time. Changes within it share one edit. */
  awaitedIntervalMs: 250,
  /** An answer that takes longer notifies its author, because edits are silent. */
  notifyMs: 20_000,
  /** An answer with fewer parts gets no stream, because it is complete before a stream could start. */
  streamParts: 2,
  /** A run that has no answer after this time no longer reserves an edit: its thread waits, or its worker died. */
  expectedMs: 600_000,
  /** Progress that gets no edit tries again after this long at most, because the number of reserved edits changes often. */
  editWaitMs: 3000,
  /** If a turn comes within this time, the request waits for it. Otherwise the thread waits. */
  paceSoonMs: 2000,
  /** Pacing ends when a channel had no post for this long. */
  paceQuietMs: 30_000,
  /**
   * Chosen: each turn multiplies the interval between posts by this factor. After ten turns without a refusal, posts follow three times as
   * fast.
   */
  paceFactor: 0.9,
} as const

export const PRESS_LIMITS = {
  /**
   * A worker handles `concurrency` presses of a queue in parallel, and at most `mostOfOne` of the same person. Presses mostly wait for
   * Redis and the platform.
   */
  concurrency: 10,
  mostOfOne: 5,
  /** A press gets this many attempts, with doubling pauses. That is enough if a platform or Redis is away for a minute. */
  attempts: 6,
  firstRetryMs: 2000,
  /** The time limit for showing a reply to a press, including its files. */
  requestMs: 30_000,
  /** When a worker stops, an aborted press may take this long. */
  handBackMs: 1000,
  /** Handled presses are kept for `age` seconds, and at most `count` of them. Platforms redeliver within minutes. */
  finishedJobs: { age: 3600, count: 10_000 },
} as const

export const ALLOWANCE_LIMITS = {
  /** Chosen: questions and presses are counted over the first period, tokens over the second. */
  countedMs: 10 * 60_000,
  spentMs: 60 * 60_000,
  /** Chosen: one person may make this many presses, which is more than people make. */
  presses: 300,
  /** Chosen: the allowance of a channel is this many times the allowance of a person. */
  channelFactor: 5,
} as const

export const PIPELINE_LIMITS = {
  /** Chosen: one worker runs this many jobs in parallel. Each job runs a few queries at a time. */
  concurrency: 2,
  /** A job gets this many attempts. Another attempt is cheap, because the job continues where it stopped. */
  attempts: 5,
  /** The first pause, which then doubles. It is short, because somebody waits for a replay. */
  firstRetryMs: 1_000,
  /** Schedules are compared with the definitions at this interval, and old jobs are cleaned up. */
  keepUpMs: 60_000,
  handBackMs: 8_000,
} as const

export const REPLAY_LIMITS = {
  /** Chosen, like the numbers below: one worker runs this many replays in parallel, besides its scheduled jobs. */
  concurrency: 2,
  /** All workers together run this many replays, because they share one warehouse. */
  sideBySide: 4,
  /** This many replays may run or wait. One more is refused with an explanation. */
  most: 12,
  /** A replay that has not started after this long is refused. */
  waitMs: 10 * 60_000,
  /** The process that waits for a replay checks its progress at this interval. */
  lookMs: 1_000,
  /** A worker may take this long to report that a replay has exceeded its limit. */
  endMs: 60_000,
} as const
