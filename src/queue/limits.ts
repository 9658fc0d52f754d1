/** The numbers of queue and delivery, with their sources. Times are in milliseconds. */
export const QUEUE_LIMITS = {
  /**
   * A worker loses its thread after this long if it hangs or its machine is gone. With BullMQ's default (30 s), recovery took
   * 60.6 s. Locks are renewed every 4 s, so a busy worker or a restarting Redis has another 4 s.
   */
  lockMs: 8_000,
  /** How often workers check for expired locks. A dead worker's turn can double this, because they take turns by a key of that lifetime. */
  stalledCheckMs: 1_000,
  /** Chosen: how often jobs of unconnected workers are checked, and how long a worker may be unconnected before it counts as dead. */
  goneCheckMs: 500,
  goneMs: 1_000,
  /** The list of connections counts once one is this old. After a restart of Redis, workers reconnect within 2 s. */
  connectedMs: 3_000,
  /** BullMQ must not fail a stalled job: `startsTogether` finds out which one kills its worker. */
  maxStalledCount: 1_000_000,
  /** A message runs beside others this often. If its worker died each time, it runs alone, so that its own death shows. */
  startsTogether: 2,
  /** Non-empty threads are woken this often, even if their job is lost. */
  sweepMs: 10_000,
  /** An empty thread stays in the index this long, because its first message may be about to be written. */
  indexMs: 60_000,
  /** Chosen: an idle worker waits this long for Redis when it closes. */
  idleCloseMs: 2000,
  /** The delay after a failed drain. */
  wakeDelayMs: 1000,
  /** Duplicates within this time are dropped. Slack redelivers for 5 min, and Discord replays a session. */
  seenMs: 3_600_000,
  /** After a mention, Clew listens to the thread without mentions for this long. */
  calledMs: 30 * 86_400_000,
  /** A reply that overtakes the call into its thread is held this long. Slack redelivers after 1 and 5 min, so the call may be that late. */
  heldMs: 7 * 60_000,
  /**
   * Chosen: a thread gets this many answers in this time. People write fewer messages, and two programs that answer each other
   * write more. The next message is told so, and the following ones are ignored until the time is over.
   */
  mostTurns: 50,
  turnsMs: 10 * 60_000,
  ledgerMs: 86_400_000,
  fenceMs: 7 * 86_400_000,
  /** Announcements end a run at once; this check covers a lost one. */
  cancelCheckMs: 5000,
  /** The home tab lists this many questions, each cut to this length, for this long after the last one. */
  recentQuestions: 10,
  recentCharacters: 150,
  recentMs: 7 * 86_400_000,
  /** Chosen: the share of slots in addition to one asker's maximum, reserved for other askers. */
  shareOfOthers: 0.25,
  /** Chosen: a job delayed by its asker's share is taken up after this long at the latest. */
  shareWaitMs: 5_000,
  /** Finished jobs kept for inspection, in seconds and number. */
  finishedJobs: { age: 3600, count: 1000 },
  /** Enough for one post with its retries. After that, a worker shows the placeholder. */
  placeholderMs: 20_000,
  /** How long the turns of askers are known. */
  turnsKeptMs: 86_400_000,
  /** After the grace, an aborted answer and a post under way may take this long. */
  handBackMs: 8000,
} as const

export const LONE_LIMITS = {
  /** Chosen: lone processes per worker. */
  most: 2,
  /** If all of them are busy, a message is delayed this long, for any worker. */
  busyWaitMs: 1000,
  /** A worker takes 1 s to start on an idle machine. */
  startMs: 60_000,
  /** The delay if a lone process cannot start, which is not the message's fault. */
  unstartedWaitMs: 10_000,
  /** Chosen: an answer takes about 50 MB beside the program's 100 MB. Capped at the worker's own limit. */
  heapMb: 1024,
  /** The heartbeat interval, and the missed beats after which a process counts as stuck. */
  beatMs: 5000,
  missedBeats: 12,
  /** How long a process may take to hand back its message. */
  stopMs: 5000,
} as const

/** Chosen: long enough for an operator who is away. */
export const DEAD_LETTER_LIMITS = {
  retentionMs: 30 * 86_400_000,
  most: 1000,
} as const

export const DELIVERY_LIMITS = {
  /** Per request to the platform. */
  requestMs: 6000,
  /**
   * Chosen: an abandoned request may still arrive within this time; no platform says. A later post is a duplicate, which is
   * removed when the run ends. A process holds a part for `requestMs` and this time, less than the 15 s allowed for an answer
   * after a crash.
   */
  landingMs: 5000,
  /** A shorter 429 is waited out. A longer one delays the thread and frees the worker. */
  inlineWaitMs: 3000,
  inlineWaits: 5,
  /** An unreachable platform is asked this often, then the thread waits. */
  retries: { attempts: 4, firstDelayMs: 250, maxDelayMs: 4000 },
  unavailableWaitMs: 20_000,
  /** After a refused token, one request of each process tries again after this long. */
  tokenWaitMs: 60_000,
  /** If the platform stays away this long, the message is given up. */
  giveUpMs: 12 * 3_600_000,
  /** Between two progress edits of one message. */
  progressIntervalMs: 1000,
  /** Chosen: the plan, the first rows and the first words appear sooner. Changes within this time share one edit. */
  awaitedIntervalMs: 250,
  /** A slower answer notifies its author, because edits are silent. */
  notifyMs: 20_000,
  /** A shorter answer is complete before a stream could start. */
  streamParts: 2,
  /** A run without an answer after this time is no longer expected: its thread waits, or its worker died. */
  expectedMs: 600_000,
  /** The number of expected runs changes often, so progress tries again after this long at most. */
  editWaitMs: 3000,
  /** The request itself waits for a turn within this time. */
  paceSoonMs: 2000,
  /** Pacing ends after this long without a post. */
  paceQuietMs: 30_000,
  /** Chosen: after ten turns without a refusal, posts follow three times as fast. */
  paceFactor: 0.9,
} as const

export const PRESS_LIMITS = {
  /** Presses in parallel per queue of a worker, and those of one person. They mostly wait for Redis and the platform. */
  concurrency: 10,
  mostOfOne: 5,
  /** With doubling pauses, enough for a platform or Redis that is away for a minute. */
  attempts: 6,
  firstRetryMs: 2000,
  /** For showing a reply to a press, including files. */
  requestMs: 30_000,
  /** How long an aborted press may still take when a worker stops. */
  handBackMs: 1000,
  /** Handled presses kept, in seconds and number. Platforms redeliver within minutes. */
  finishedJobs: { age: 3600, count: 10_000 },
} as const

export const ALLOWANCE_LIMITS = {
  /** Chosen: the periods for counting questions and presses, and for counting tokens. */
  countedMs: 10 * 60_000,
  spentMs: 60 * 60_000,
  /** Chosen: more than a person presses. */
  presses: 300,
  /** Chosen: a channel may use as much as this many busy people. */
  channelFactor: 5,
} as const

export const PIPELINE_LIMITS = {
  /** Chosen: jobs that one worker runs in parallel. Each runs a few queries at a time. */
  concurrency: 2,
  /** Attempts are cheap, because a job continues where it stopped. */
  attempts: 5,
  /** The first pause, which then doubles. It is short because somebody waits for a replay. */
  firstRetryMs: 1_000,
  /** The interval for comparing schedules with the definitions and cleaning up. */
  keepUpMs: 60_000,
  handBackMs: 8_000,
} as const

export const REPLAY_LIMITS = {
  /** Chosen, like those below: replays that one worker runs in parallel, in addition to scheduled jobs. */
  concurrency: 2,
  /** Replays of all workers together, because they share one warehouse. */
  sideBySide: 4,
  /** Running and waiting replays. One more is politely refused. */
  most: 12,
  /** A replay that has not started after this long is refused. */
  waitMs: 10 * 60_000,
  /** How often the asker checks the progress. */
  lookMs: 1_000,
  /** How long a worker may take to report a replay that exceeded its limit. */
  endMs: 60_000,
} as const
