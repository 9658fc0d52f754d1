import { readFileSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import type { HeldLoop, LoopLimits } from './watch-loop.ts'
import { WORK_AT_HAND, type WorkAtHand } from './watched-work.ts'

const { beats, limits } = workerData as { readonly beats: Int32Array; readonly limits: LoopLimits }
const EXPRESSION = `globalThis[Symbol.for('${WORK_AT_HAND}')]()`
const main = `/proc/self/task/${process.pid}/schedstat`

/** Returns the main thread's processor time in milliseconds. On systems other than Linux, returns the elapsed time. */
function spentMs(): number {
  try {
    return Number(readFileSync(main, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}

let beat = -1
let session: Session | undefined
/**
 * `turned`: when the event loop last turned. `looked`: when this thread last checked it. Both in milliseconds, as `spentMs`
 * returns.
 */
let turned = spentMs()
let looked = turned
/** The work that the main thread named in its last answer. It has named the same work in each answer since `since`. */
let work: (WorkAtHand & { readonly since: number }) | undefined
/**
 * The keys of the work that was reported since the loop last turned. `undefined` stands for work that could not be identified.
 */
const reported = new Set<number | undefined>()
let isAsking = false

setInterval(() => {
  const now = spentMs()
  const latest = Atomics.load(beats, 0)
  // A very late check means that the machine was asleep. Nothing blocked the loop in that time, so the time is not counted.
  if (now - looked > 4 * limits.lookMs) turned += now - looked
  looked = now
  if (latest !== beat) {
    beat = latest
    turned = now
    work = undefined
    reported.clear()
    session?.disconnect()
    session = undefined
    isAsking = false
    return
  }
  const held = now - turned
  if (held > limits.lostMs) endProcess(held)
  if (held > limits.lookMs / 2 && !isAsking) ask()
}, limits.lookMs)

/**
 * Asks the main thread for its work in progress. V8 answers between two instructions of JavaScript, even inside a regular
 * expression.
 */
function ask(): void {
  if (session === undefined) {
    session = new Session()
    session.connectToMainThread()
  }
  const [own, asked] = [session, spentMs()]
  isAsking = true
  own.post('Runtime.evaluate', { expression: EXPRESSION, returnByValue: true }, (error, answer) => {
    if (own !== session) return
    isAsking = false
    const now = spentMs()
    const found = error === null ? (JSON.parse(String(answer.result.value)) as WorkAtHand | null) : null
    // During a call into native code, V8 answers only after the call. A late answer may name other work than the work that
    // blocked the loop.
    const isCertain = found !== null && now - asked <= limits.lookMs
    if (!isCertain) work = undefined
    else if (work?.key !== found.key) work = { ...found, since: now }
    else work = { ...found, since: work.since }
    if (now - turned < limits.heldMs || (work !== undefined && now - work.since < limits.heldMs / 2)) return
    // Several pieces of work may block the loop before it turns again. Each of them is reported only once.
    if (reported.has(work?.key) || (work === undefined && reported.size > 0)) return
    reported.add(work?.key)
    parentPort?.postMessage({ heldMs: now - turned, work: found, isCertain } satisfies HeldLoop)
  })
}

/** Writes directly to standard error, because the logger runs in the thread that is blocked. */
function endProcess(heldMs: number): void {
  const fields = { run: work?.run, step: work?.step, heldMs: Math.round(heldMs) }
  const line = {
    level: 60,
    time: new Date().toISOString(),
    ...fields,
    msg: 'the event loop does not come back; the process is ended',
  }
  writeSync(2, `${JSON.stringify(line)}\n`)
  process.kill(process.pid, 'SIGKILL')
}
