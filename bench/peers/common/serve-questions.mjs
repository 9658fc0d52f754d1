import { createInterface } from 'node:readline'

/**
 * Reports the progress of an answer. A repeated report counts once.
 * @typedef {object} Progress
 * @property {() => void} plan the first data question is known
 * @property {() => void} queryReturned a query's rows are there
 * @property {() => void} firstWords the answer's first text is there
 */

/** @typedef {(question: string, progress: Progress) => Promise<string>} Answer */

/**
 * Answers the questions that arrive on standard input, in parallel, and reports the progress of each on standard output. This is the contract of
 * ../CONTRACT.md. Ends the process when the input has ended and every question is answered.
 * @param {{ name: string, version: string }} peer
 * @param {Answer} answer
 */
export async function serveQuestions(peer, answer) {
  const underWay = new Set()
  report({ event: 'ready', ...peer })
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line)
    if (request.ask === 'usage') {
      report({ event: 'usage', ...usage() })
      continue
    }
    const run = serveOne(request.id, request.question, answer).finally(() => underWay.delete(run))
    underWay.add(run)
  }
  await Promise.all(underWay)
  // Open connections would otherwise keep the process running for some seconds.
  process.exit()
}

/**
 * @param {string} id
 * @param {string} question
 * @param {Answer} answer
 */
async function serveOne(id, question, answer) {
  const told = new Set()
  let queries = 0
  /** @param {string} event @param {Record<string, unknown>} [more] */
  const tell = (event, more) => {
    if (told.has(event)) return
    told.add(event)
    report({ id, event, at: performance.timeOrigin + performance.now(), ...more })
  }
  tell('started')
  try {
    const text = await answer(question, {
      plan: () => tell('plan'),
      queryReturned: () => {
        queries += 1
        tell('first_data')
      },
      firstWords: () => tell('first_words'),
    })
    tell('complete', { answer: text, queries })
  } catch (error) {
    tell('failed', { error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

function usage() {
  globalThis.gc?.()
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { cpu_ms: (user + system) / 1000, rss_mb: rss / 2 ** 20, heap_mb: heapUsed / 2 ** 20 }
}

/** @param {Record<string, unknown>} event */
function report(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}
