import { access, chmod, constants, type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { parseDocument, stringify } from 'yaml'
import type { z } from 'zod'
import { ConfigurationError, errorCode } from '../base/errors.ts'
import { fileReason } from '../base/file-reason.ts'
import { verifiedQueryOf, verifiedQuerySchema } from './files.ts'
import { DOMAIN_LIMITS } from './limits.ts'
import { sameQuestionFaults } from './verified-query-faults.ts'

type Entry = z.infer<typeof verifiedQuerySchema>

/** Returns why the folder of a domain pack cannot be written, with the way out. Undefined if it can. */
export async function whyNotWritable(directory: string): Promise<string | undefined> {
  return access(directory, constants.W_OK).then(
    () => undefined,
    error => notWritten(directory, error).message,
  )
}

/** Writes a verified query as YAML, as it stands in its file. */
export function verifiedQueryYaml(entry: Entry): string {
  return stringify([entry], { lineWidth: 120 })
}

/**
 * Appends an entry to the verified queries of a domain pack. The text before it stays as it is. Writers wait for each other, and
 * readers see the whole file, old or new.
 * @returns the path of the file
 * @throws ConfigurationError if the file has the entry, or its question with other SQL, cannot take one, or cannot be written;
 * then nothing is written
 */
export async function addVerifiedQuery(directory: string, entry: Entry): Promise<string> {
  const path = join(directory, 'verified-queries.yaml')
  // The file may be a link, which is to stay one.
  const target = await realpath(path).catch(() => path)
  const draft = `${target}.draft`
  try {
    const handle = await openAlone(draft)
    try {
      await handle.writeFile(await withEntry(target, entry))
      await stat(target).then(
        ({ mode }) => chmod(draft, mode),
        () => undefined,
      )
      await rename(draft, target)
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw error instanceof ConfigurationError ? error : notWritten(path, error)
  }
  return path
}

function notWritten(path: string, cause: unknown): ConfigurationError {
  const wayOut = 'Make it writable for this process, or add the query to verified-queries.yaml by hand.'
  return new ConfigurationError(`${path} cannot be written: ${fileReason(cause)}. ${wayOut}`, { cause })
}

/** Creates the draft of the new file. While it is there, every other writer waits. */
async function openAlone(draft: string): Promise<FileHandle> {
  for (const end = Date.now() + DOMAIN_LIMITS.writersMs; Date.now() < end; await delay(DOMAIN_LIMITS.writersMs / 100)) {
    try {
      return await open(draft, 'wx')
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
  }
  throw new ConfigurationError(`Another process writes the verified queries. If none does, delete ${draft} and try again.`)
}

async function withEntry(path: string, entry: Entry): Promise<string> {
  const before = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return ''
    throw error
  })
  const known: unknown = parseDocument(before).toJS() ?? []
  const after = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${verifiedQueryYaml(entry)}`
  const document = parseDocument(after)
  const isRead = document.errors.length === 0 && Array.isArray(known) && isDeepStrictEqual(document.toJS(), [...known, entry])
  if (!isRead) {
    throw new ConfigurationError(
      `${path} cannot take an entry at its end: write it as a list with a line \`- question: …\` for each entry.`,
    )
  }
  if (known.some(({ question, sql }: Partial<Entry>) => question === entry.question && sql === entry.sql))
    throw new ConfigurationError(`${path} already has that query.`)
  // The caller may have checked this too, but another writer may have been faster.
  const others = known.flatMap(each => verifiedQuerySchema.safeParse(each).data ?? []).map(verifiedQueryOf)
  const [fault] = sameQuestionFaults(verifiedQueryOf(entry), others)
  if (fault !== undefined) throw new ConfigurationError(`${path} takes no such entry: ${fault}`)
  return after
}
