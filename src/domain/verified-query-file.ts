import { access, chmod, constants, open, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { parseDocument, stringify } from 'yaml'
import type { z } from 'zod'
import { ConfigurationError, errorCode } from '../base/errors.ts'
import { fileReason } from '../base/file-reason.ts'
import type { verifiedQuerySchema } from './files.ts'
import { DOMAIN_LIMITS } from './limits.ts'

type Entry = z.infer<typeof verifiedQuerySchema>

/** Returns why the folder of a domain pack cannot be written. Undefined if it can. */
export async function whyNotWritable(directory: string): Promise<string | undefined> {
  return access(directory, constants.W_OK).then(() => undefined, fileReason)
}

/** Writes a verified query as YAML, as it stands in its file. */
export function verifiedQueryYaml(entry: Entry): string {
  return stringify([entry], { lineWidth: 120 })
}

/**
 * Appends an entry to the verified queries of a domain pack. The text before it stays as it is. Writers wait for each other, and
 * readers see the whole file, old or new.
 * @returns the path of the file
 * @throws ConfigurationError if the file has the entry, cannot take one, or cannot be written; then nothing is written
 */
export async function addVerifiedQuery(directory: string, entry: Entry): Promise<string> {
  const path = join(directory, 'verified-queries.yaml')
  const unlock = await lock(`${path}.lock`)
  try {
    await write(path, entry)
  } catch (error) {
    throw error instanceof ConfigurationError ? error : notWritten(path, error)
  } finally {
    await unlock()
  }
  return path
}

async function write(path: string, entry: Entry): Promise<void> {
  // The file may be a link, which is to stay one.
  const target = await realpath(path).catch(() => path)
  const before = await readFile(target, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  const known: unknown = parseDocument(before).toJS() ?? []
  const added = `${before === '' || before.endsWith('\n') ? '' : '\n'}${verifiedQueryYaml(entry)}`
  const document = parseDocument(`${before}${added}`)
  const isRead =
    document.errors.length === 0 && Array.isArray(known) && isDeepStrictEqual(document.toJS(), [...(known as unknown[]), entry])
  if (!isRead) {
    throw new ConfigurationError(
      `${path} cannot take an entry at its end: write it as a list with a line \`- question: …\` for each entry.`,
    )
  }
  if ((known as Partial<Entry>[]).some(({ question, sql }) => question === entry.question && sql === entry.sql))
    throw new ConfigurationError(`${path} already has that query.`)
  const draft = `${target}.draft`
  await writeFile(draft, `${before}${added}`)
  if (before !== '') await chmod(draft, (await stat(target)).mode)
  await rename(draft, target)
}

/** Waits for other writers. @returns a function that lets the next one write */
async function lock(path: string): Promise<() => Promise<void>> {
  const end = Date.now() + DOMAIN_LIMITS.writersMs
  for (;;) {
    try {
      await (await open(path, 'wx')).close()
      return () => rm(path, { force: true })
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw notWritten(path, error)
    }
    if (Date.now() > end)
      throw new ConfigurationError(`Another process writes the verified queries. If none does, delete ${path} and try again.`)
    await delay(DOMAIN_LIMITS.writersMs / 100)
  }
}

function notWritten(path: string, cause: unknown): ConfigurationError {
  return new ConfigurationError(
    `${path} cannot be written: ${fileReason(cause)}. Make the folder writable for this process, or add the entry by hand.`,
    { cause },
  )
}
