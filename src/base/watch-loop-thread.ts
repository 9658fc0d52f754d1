import { readFileSync, writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'
import type { HeldLoop, LoopLimits } from './watch-loop.ts'
import { WORK_AT_HAND, type WorkAtHand } from './watched-work.ts'

const { beats, limits } = workerData as { readonly beats: Int32Array; readonly limits: LoopLimits }
const EXPRESSION = `globalThis[Symbol.for('${WORK_AT_HAND}')]()`
const main = `/proc/self/task/${process.pid}/schedstat`

/** Milliseconds that the main thread has worked. Without Linux, elapsed time. */
function spentMs(): number {
  try {
    return Number(readFileSync(main, 'utf8').split(' ', 1)[0]) / 1e6
  } catch {
    return performance.now()
  }
}

let beat = -1
let session: Session | undefined
/** When the loop last turned, and when it was last checked. */
let turned = spentMs()
let looked = turned
/** The work in progress at every inquiry since then. */
let work: (WorkAtHand & { readonly since: number }) | undefined
/** Whose work was reported since; undefined where that is not certain. */
const reported = new Set<number | undefined>()
let isAsking = false

setInterval(() => {
  const now = spentMs()
  const latest = Atomics.load(beats, 0)
  // A machine that slept has not blocked its loop.
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

/** Asks the main thread during its work. V8 answers between two instructions of JavaScript, even inside a regular expression. */
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
    // After a call into native code, the answer may concern other work.
    const isCertain = found !== null && now - asked <= limits.lookMs
    if (!isCertain) work = undefined
    else if (work?.key !== found.key) work = { ...found, since: now }
    else work = { ...found, since: work.since }
    if (now - turned < limits.heldMs || (work !== undefined && now - work.since < limits.heldMs / 2)) return
    // Several may keep it one after the other before the loop turns.
    if (reported.has(work?.key) || (work === undefined && reported.size > 0)) return
    reported.add(work?.key)
    parentPort?.postMessage({ heldMs: now - turned, work: found, isCertain } satisfies HeldLoop)
  })
}

/** The logger's thread is the blocked one. */
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
