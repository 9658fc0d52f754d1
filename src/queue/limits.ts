/** Every number of the queue and of delivery, with its source. Times in milliseconds. */
export const QUEUE_LIMITS = {
  /**
   * A worker that keeps its connection but does nothing, or whose machine is gone, loses its thread after this long. BullMQ's default (30 s) took
   * 60.6 s to recover one. A renewal comes every 4 s, which leaves a busy worker or a Redis that starts again another 4 s.
   */
  lockMs: 8_000,
  /** How often workers look for threads whose lock is gone. They take turns by a key that lives as long, so a turn of a dead worker lasts twice this. */
  stalledCheckMs: 1_000,
  /** Chosen: how often jobs are looked at whose worker has no connection to Redis, and after how long without one it is gone. */
  goneCheckMs: 500,
  goneMs: 1_000,
  /** The list of connections counts once one of them is this old: after a restart of Redis, workers are back within 2 s. */
  connectedMs: 3_000,
  /** BullMQ gives nothing up because its worker died: what kills it is found out alone (`startsTogether`). */
  maxStalledCount: 1_000_000,
  /** So often a message is started beside others. When its worker has died each time, it is started alone: then its death is seen to be its own. */
  startsTogether: 2,
  /** How often non-empty threads are woken, whatever has become of their drain. */
  sweepMs: 10_000,
  /** An empty thread leaves the index once nobody can be between writing the index and writing the message. */
  indexMs: 60_000,
  /** Chosen: how long a worker that works on nothing waits for Redis when it is closed, and for its look at all threads. */
  idleCloseMs: 2000,
  /** After a failed drain. */
  wakeDelayMs: 1000,
  /** Slack redelivers for 5 min, Discord replays a session; a double within this is dropped. */
  seenMs: 3_600_000,
  /** How long a thread that Clew was called into is listened to without a mention. */
  calledMs: 30 * 86_400_000,
  /**
   * A reply that overtakes the message which calls Clew into its thread is held this long: Slack delivers again after 1 and 5 min, so the call may
   * be that late. A reply in any other thread is forgotten then.
   */
  heldMs: 7 * 60_000,
  /**
   * Chosen: so many messages of one thread are answered within this time, which is more than people write, and less than two programs that answer each
   * other. The one after them is told so; those that follow are ignored until the time is over, which ends such a conversation.
   */
  mostTurns: 50,
  turnsMs: 10 * 60_000,
  /** What is known of a run's delivery, of a thread's fence. */
  ledgerMs: 86_400_000,
  fenceMs: 7 * 86_400_000,
  /** How often a run looks whether it is to end; it is told at once, this is for when that got lost. */
  cancelCheckMs: 5000,
  /** A person's latest questions, as their home tab lists them: so many, so much of each, for so long after the last. */
  recentQuestions: 10,
  recentCharacters: 150,
  recentMs: 7 * 86_400_000,
  /** Chosen: so much of what one asker may have in hand at a time is kept beside it for others, so that they wait for nobody. */
  shareOfOthers: 0.25,
  /** Chosen: a job that is put off for that is taken up when one of its asker's ends here, or by any worker after so long. */
  shareWaitMs: 5_000,
  /** Finished drains are kept for looking at, in seconds and number. */
  finishedJobs: { age: 3600, count: 1000 },
} as const

/** A process that has one message in hand, and nothing else. */
export const LONE_LIMITS = {
  /** Chosen: of one worker, at a time. */
  most: 2,
  /** Where they are all at work, a message is put off for so long, for this worker or another. */
  busyWaitMs: 1000,
  /** A worker takes 1 s to start on an idle machine. */
  startMs: 60_000,
  /** One that does not start for another reason than the message. */
  unstartedWaitMs: 10_000,
  /** One that is done is kept for the next message for so long. */
  idleMs: 30_000,
  /** Chosen: an answer takes some 50 MB beside the 100 MB of the program. Never more than the worker itself may have. */
  heapMb: 1024,
  /** How often it says that it is alive, and how often in a row that may fail before it is taken for stuck. */
  beatMs: 5000,
  missedBeats: 12,
  /** The time it has to hand its message back. */
  stopMs: 5000,
} as const

/** Messages that could not be answered or told. Chosen: long enough for an operator who is away. */
export const DEAD_LETTER_LIMITS = {
  retentionMs: 30 * 86_400_000,
  most: 1000,
} as const

export const DELIVERY_LIMITS = {
  /** One request to the platform. */
  requestMs: 6000,
  /**
   * Chosen: how long a request that was given up may still take to arrive. No platform tells; a post that comes even later is a copy, which is removed when the
   * run ends. One process alone may post a part for as long as a request and this, in case it dies over it: together less than the 15 s in which a killed
   * worker's answer must be there.
   */
  landingMs: 5000,
  /** A 429 up to this long is waited out; a longer one delays the thread and frees the worker. */
  inlineWaitMs: 3000,
  inlineWaits: 5,
  /** A platform that does not answer is asked again this often, then the thread waits. */
  retries: { attempts: 4, firstDelayMs: 250, maxDelayMs: 4000 },
  unavailableWaitMs: 20_000,
  /** A token that the platform refuses is tried again after so long, by one request of a process. */
  tokenWaitMs: 60_000,
  /** A platform that stays away this long after the message: the message is given up. */
  giveUpMs: 12 * 3_600_000,
  /** Between two progress edits of one message. */
  progressIntervalMs: 1000,
  /** Chosen: what people wait for (the plan, the first rows, the first words) is shown sooner. What comes within so little of each other is one look to them, and one edit. */
  awaitedIntervalMs: 250,
  /** An answer slower than this notifies its author, since edits are silent. */
  notifyMs: 20_000,
} as const

export const PRESS_LIMITS = {
  /** Presses that one worker handles side by side, of each queue, and those of one person: they wait for Redis and for the platform, not for the processor. */
  concurrency: 10,
  mostOfOne: 5,
  /** With doubling pauses: what a platform or Redis that is away for a minute costs. */
  attempts: 6,
  firstRetryMs: 2000,
  /** Showing something to the one who pressed, files and all. */
  requestMs: 30_000,
  /** What a press that is called off may still take when a worker stops. */
  handBackMs: 1000,
  /** Handled presses, in seconds and number: platforms deliver again within minutes. */
  finishedJobs: { age: 3600, count: 10_000 },
} as const

export const ALLOWANCE_LIMITS = {
  /** Chosen: questions and presses are counted over so long, and what a model takes over so long. */
  countedMs: 10 * 60_000,
  spentMs: 60 * 60_000,
  /** Chosen: more than a person presses. */
  presses: 300,
  /** Chosen: a channel has as much as so many busy people. */
  channelFactor: 5,
} as const

export const PIPELINE_LIMITS = {
  /** Chosen: jobs that one worker runs side by side; each has a few queries of its own at a time. */
  concurrency: 2,
  /** Of a job whose state could not be kept, or whose worker died: what it has done is not done again. */
  attempts: 5,
  /** After a failure, doubling: of a replay, somebody waits for it. */
  firstRetryMs: 1_000,
  /** How often schedules are compared with what is registered, and what is over is swept up. */
  keepUpMs: 60_000,
  handBackMs: 8_000,
} as const

export const REPLAY_LIMITS = {
  /** Chosen, like those below: replays that one worker runs side by side, beside its scheduled jobs. */
  concurrency: 2,
  /** That all workers run side by side: the warehouse is one, however many workers there are. */
  sideBySide: 4,
  /** That run or wait; one more is refused, politely. */
  most: 12,
  /** How long one waits for its turn before whoever asked is told to come back. */
  waitMs: 10 * 60_000,
  /** How often whoever asked looks how far it is. */
  lookMs: 1_000,
  /** What a worker that ends a replay in time may take to say so. */
  endMs: 60_000,
} as const
