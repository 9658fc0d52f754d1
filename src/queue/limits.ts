/** The limits of queue and delivery, with their sources. Times are in milliseconds. */
export const QUEUE_LIMITS = {
  /**
   * A worker that hangs or is gone loses its thread after this long. With BullMQ's default (30 s), recovery took 60.6 s. Workers renew their locks
   * every 4 s, which leaves a busy worker or a restarting Redis 4 s to spare.
   */
  lockMs: 8_000,
  /**
   * How often workers check for expired locks. One worker checks at a time, and its turn lasts this long. If that worker dies, the time until the
   * next check can double.
   */
  stalledCheckMs: 1_000,
  /** Chosen: workers look for jobs of unconnected workers at this interval. */
  goneCheckMs: 500,
  /** Chosen: a worker that is unconnected for this long counts as dead. */
  goneMs: 1_000,
  /**
   * Redis's list of connections counts only if its oldest connection is at least this old, because after a restart of Redis, workers take up to 2 s
   * to reconnect.
   */
  connectedMs: 3_000,
  /**
   * BullMQ restarts a stalled job at most this often. The number is so high that it never matters, because `startsTogether` limits the restarts of a
   * message.
   */
  maxStalledCount: 1_000_000,
  /**
   * A message gets this many starts in a process that also answers others. If the worker died each time, the message runs alone, and is certainly to
   * blame if it kills that process too.
   */
  startsTogether: 2,
  /** Workers wake all threads with messages at this interval. This also wakes a thread whose job was lost. */
  sweepMs: 10_000,
  /** A thread without messages stays in the index for this time, because its first message may be about to be written. */
  indexMs: 60_000,
  /** Chosen: an idle worker that closes waits this long for Redis. */
  idleCloseMs: 2000,
  /** After a failed drain, the thread is woken again after this time. */
  wakeDelayMs: 1000,
  /** A message that is delivered twice within this time is accepted once. Slack redelivers for 5 min, and Discord replays a session. */
  seenMs: 3_600_000,
  /** For this long after a mention, Clew also answers replies in the thread that do not mention it. */
  calledMs: 30 * 86_400_000,
  /**
   * Replies are held for this long, because the mention that calls Clew into their thread may arrive later. Slack redelivers a mention after 1 and 5
   * min.
   */
  heldMs: 7 * 60_000,
  /**
   * Chosen: a thread gets at most `mostTurns` answers within `turnsMs`. People write fewer messages, but two bots that answer each other write more.
   * The author of the next message is told. Further messages are ignored until the time is over.
   */
  mostTurns: 50,
  turnsMs: 10 * 60_000,
  ledgerMs: 86_400_000,
  fenceMs: 7 * 86_400_000,
  /**
   * A cancelled run usually learns of it at once, by an announcement. If the announcement is lost, a check at this interval finds it.
   */
  cancelCheckMs: 5000,
  /** The home tab lists at most this many questions. */
  recentQuestions: 10,
  /** Each question in the home tab is cut to this length. */
  recentCharacters: 150,
  /** A person's questions are deleted this long after the last one. */
  recentMs: 7 * 86_400_000,
  /** Chosen: a worker has this share of slots beyond those that one asker may hold. They stay free for others. */
  shareOfOthers: 0.25,
  /** Chosen: a job is delayed if its asker holds too many slots. The job tries again after this time at the latest. */
  shareWaitMs: 5_000,
  /**
   * Chosen: while the event loop is busy, so many jobs of one asker are under way. The loop is busy if it works for `busyShare` of `startPauseMs`. An
   * answer takes some 40 ms of the loop, so five of them keep it busy if the model answers at once.
   */
  startsOfBusy: 5,
  busyShare: 0.5,
  startPauseMs: 10,
  /** Finished jobs are kept for inspection for `age` seconds, and at most `count` of them. */
  finishedJobs: { age: 3600, count: 1000 },
  /**
   * The process that accepts messages tries this long to post a placeholder. The time is enough for one post with its retries. After that, a worker
   * posts the placeholder.
   */
  placeholderMs: 20_000,
  /** Chosen: a process posts this many placeholders for one author in parallel. */
  placeholdersOfOne: 10,
  /** The queue remembers the askers' turns for this long. */
  turnsKeptMs: 86_400_000,
  /** When the grace period is over, an aborted answer and a post under way may still take this long. */
  handBackMs: 8000,
} as const

export const LONE_LIMITS = {
  /** Chosen: the maximum number of lone processes per worker. */
  most: 2,
  /** If all lone processes are busy, the message is delayed by this time. After the delay, any worker may take the message. */
  busyWaitMs: 1000,
  /** The time limit for the start of a lone process. A worker starts in 1 s on an idle machine. */
  startMs: 60_000,
  /** If a lone process cannot start, its message is delayed by this time. The message is not blamed. */
  unstartedWaitMs: 10_000,
  /**
   * Chosen: the maximum heap of a lone process. An answer takes about 50 MB, and the program 100 MB. The heap is never larger than the worker's own
   * maximum.
   */
  heapMb: 1024,
  /** A lone process sends a heartbeat at this interval. */
  beatMs: 5000,
  /** After this many missed heartbeats, a lone process counts as stuck. */
  missedBeats: 12,
  /** A lone process that has to stop has this long to hand back its message. */
  stopMs: 5000,
} as const

/** Chosen: long enough for an operator who is away. */
export const DEAD_LETTER_LIMITS = {
  retentionMs: 30 * 86_400_000,
  most: 1000,
} as const

export const DELIVERY_LIMITS = {
  /** The time limit of one request to the platform. */
  requestMs: 6000,
  /**
   * Chosen, because no platform gives a number: a request that was given up may still arrive within this time. A later post is a duplicate, and is
   * removed when the run ends. A process holds a part for `requestMs` plus this time. The sum is below the 15 s that an answer may take after a
   * crash.
   */
  landingMs: 5000,
  /**
   * Chosen: the share of the requests that the platform allows in a second. Each person's first requests (`shareOfFirst`) may use all of
   * them. People who need more use `shareOfBusy` together.
   */
  shareOfFirst: 0.2,
  shareOfBusy: 0.6,
  /**
   * A worker waits for a 429 of up to this length. After a longer one, the thread is delayed, and the worker takes other threads.
   */
  inlineWaitMs: 3000,
  inlineWaits: 5,
  /** The attempts at a request to an unreachable platform, and the pauses between them. */
  retries: { attempts: 4, firstDelayMs: 250, maxDelayMs: 4000 },
  /** After the last attempt, the thread of the request waits for this time. */
  unavailableWaitMs: 20_000,
  /** After the platform has refused a token, each process waits for this time. Then one request tries the token again. */
  tokenWaitMs: 60_000,
  /** A message is given up if the platform stays unreachable for this long. */
  giveUpMs: 12 * 3_600_000,
  /** The time between two progress edits of one message. */
  progressIntervalMs: 1000,
  /**
   * Chosen: this shorter time applies to the first plan, the first rows and the first words. Changes within it share one edit.
   */
  awaitedIntervalMs: 250,
  /** An edit notifies nobody, so an answer that takes longer than this also notifies its author. */
  notifyMs: 20_000,
  /** An answer with fewer parts than this gets no stream, because it would be complete before the stream starts. */
  streamParts: 2,
  /** A run reserves an edit for its answer for this long. Without an answer by then, its thread waits, or its worker has died. */
  expectedMs: 600_000,
  /** If progress gets no edit, it tries again after this time at the latest, because the number of reserved edits changes often. */
  editWaitMs: 3000,
  /** A request waits for its turn up to this long. If its turn is later, its thread is delayed. */
  paceSoonMs: 2000,
  /** Pacing ends after this time without a post in the channel. */
  paceQuietMs: 30_000,
  /**
   * Chosen: each turn multiplies the interval between posts by this factor. After ten turns without a refusal, posts come three times as often.
   */
  paceFactor: 0.9,
} as const

export const PRESS_LIMITS = {
  /** In each queue, a worker handles this many presses in parallel. A press mostly waits for Redis and the platform. */
  concurrency: 10,
  /** A worker handles at most this many presses of the same person in parallel. */
  mostOfOne: 5,
  /** A press gets this many attempts. This covers an outage of a minute. */
  attempts: 6,
  /** The first pause between attempts. Each pause is twice the one before. */
  firstRetryMs: 2000,
  /** The time limit for showing a reply to a press, including its files. */
  requestMs: 30_000,
  /** When a worker stops, a press that was aborted may still take this long. */
  handBackMs: 1000,
  /** Handled presses are kept for `age` seconds, and at most `count` of them. Platforms redeliver within minutes. */
  finishedJobs: { age: 3600, count: 10_000 },
} as const

export const ALLOWANCE_LIMITS = {
  /** Chosen: questions and presses are counted over this period. */
  countedMs: 10 * 60_000,
  /** Chosen: tokens are counted over this period. */
  spentMs: 60 * 60_000,
  /** Chosen: the maximum number of presses per person. People make fewer. */
  presses: 300,
  /** Chosen: the allowance of a channel is this many times the allowance of a person. */
  channelFactor: 5,
} as const

export const PIPELINE_LIMITS = {
  /** Chosen: one worker runs this many jobs in parallel. Each job runs a few queries at a time. */
  concurrency: 2,
  /** A job gets this many attempts. Another attempt is cheap, because the job continues where it stopped. */
  attempts: 5,
  /** The first pause between attempts. Each pause is twice the one before. It is short, because somebody waits for a replay. */
  firstRetryMs: 1_000,
  /** At this interval, schedules are compared with the definitions, and old jobs are removed. */
  keepUpMs: 60_000,
  handBackMs: 8_000,
} as const

export const REPLAY_LIMITS = {
  /** Chosen, like the numbers below: one worker runs this many replays in parallel, besides its scheduled jobs. */
  concurrency: 2,
  /** All workers together run at most this many replays, because they share one warehouse. */
  sideBySide: 4,
  /** At most this many replays may run or wait. Another one is refused with an explanation. */
  most: 12,
  /** A replay that has not started within this time is refused. */
  waitMs: 10 * 60_000,
  /** The process that waits for a replay checks its progress at this interval. */
  lookMs: 1_000,
  /** A worker may take this long to report that a replay was stopped by its time limit. */
  endMs: 60_000,
} as const
