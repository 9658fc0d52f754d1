import { once } from 'node:events'
import type { Interface } from 'node:readline/promises'
import type { Confirm, ConfirmationRequest, CostChoice } from '../../agent/confirmation.ts'
import type { TerminalProgress } from './terminal-progress.ts'
import { terminalText } from './terminal-text.ts'

/**
 * Asks at a terminal what to do with an expensive query; several that come at a time are asked about one after another. Progress is held back meanwhile.
 * The end of the input means stop.
 * @param open the lines to ask by; called for each question
 */
export function askAboutCost(
  open: () => { readonly lines: Interface; close(): void },
  progress: Pick<TerminalProgress, 'pause' | 'resume'>,
): Confirm {
  let before: Promise<unknown> = Promise.resolve()
  return (request, signal) => {
    const asked = before.then(() => {
      progress.pause()
      const { lines, close } = open()
      return askUntilUnderstood(lines, request, signal).finally(() => {
        close()
        // A run that has ended has taken its progress away.
        if (!signal.aborted) progress.resume()
      })
    })
    before = asked.catch(() => {})
    return asked
  }
}

async function askUntilUnderstood(lines: Interface, request: ConfirmationRequest, signal: AbortSignal): Promise<CostChoice> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const closed = once(lines, 'close', { signal: either }).then(
    () => undefined,
    () => undefined,
  )
  try {
    for (let prompt = `${terminalText(request.question)} [run/narrow/stop] `; ; prompt = 'Please say run, narrow or stop: ') {
      signal.throwIfAborted()
      const line = await Promise.race([lines.question(prompt, { signal: either }), closed])
      if (line === undefined) {
        signal.throwIfAborted()
        return 'stop'
      }
      const word = line.trim().toLowerCase()
      const choice = request.choices.find(({ value }) => word !== '' && value.startsWith(word))
      if (choice !== undefined) return choice.value
    }
  } finally {
    ended.abort()
  }
}
