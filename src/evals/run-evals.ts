import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EvalCase } from './case.ts'
import { type EvalSubject, type EvalTranscript, fingerprintOf, readTranscript } from './transcript.ts'

interface EvalsOptions {
  /** The folder of transcripts, one per case. A case that already has a transcript there is not asked again. */
  readonly folder: string
  readonly subject: EvalSubject
  readonly concurrency: number
  readonly answer: (evalCase: EvalCase, signal: AbortSignal) => Promise<EvalTranscript>
  /** Called when a case is done. `isNew` is false if an earlier run has already answered the case. */
  readonly onTranscript: (transcript: EvalTranscript, isNew: boolean) => void
}

/**
 * Answers the cases, several at a time. Saves each transcript as soon as its case is done, so that a stopped run can continue
 * later.
 * @returns the transcripts in the order of the cases
 * @throws any error of `answer`, once the cases that are already running have finished
 */
export async function runEvals(
  cases: readonly EvalCase[],
  options: EvalsOptions,
  signal: AbortSignal,
): Promise<EvalTranscript[]> {
  const { folder, concurrency, onTranscript } = options
  await mkdir(folder, { recursive: true })
  const transcripts = new Map<string, EvalTranscript>()
  const queue = [...cases]
  const failure = new AbortController()
  const own = AbortSignal.any([signal, failure.signal])
  const work = async () => {
    for (let next = queue.shift(); next !== undefined && !own.aborted; next = queue.shift()) {
      const path = join(folder, `${next.id}.json`)
      const before = await readTranscript(path, fingerprintOf(next, options.subject))
      const transcript = before ?? (await options.answer(next, signal))
      if (before === undefined) await writeWhole(path, transcript)
      transcripts.set(next.id, transcript)
      onTranscript(transcript, before === undefined)
    }
  }
  const workers = Array.from({ length: Math.min(concurrency, cases.length) }, () =>
    work().catch((error: unknown) => {
      failure.abort()
      throw error
    }),
  )
  const [failed] = (await Promise.allSettled(workers)).flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
  if (failed !== undefined) throw failed
  signal.throwIfAborted()
  return cases.flatMap(({ id }) => transcripts.get(id) ?? [])
}

/** Writes to a temporary file and renames it. So the file is always complete, even if another run writes it at the same time. */
async function writeWhole(path: string, transcript: EvalTranscript): Promise<void> {
  const part = `${path}.${randomUUID()}.part`
  await writeFile(part, `${JSON.stringify(transcript, null, 1)}\n`)
  await rename(part, path)
}
