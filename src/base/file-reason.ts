import { readFileSync } from 'node:fs'
import { ConfigurationError, errorCode, errorMessage } from './errors.ts'

/** The system's error codes in plain words. Each text says why a file cannot be used. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not',
  EPERM: 'this user may not',
  EROFS: 'its disk is read-only',
  ENOSPC: 'its disk is full',
}

/** Returns why a file cannot be read or written, such as "there is no such file or folder". Put it at the end of a sentence. */
export function fileReason(error: unknown): string {
  return REASONS[errorCode(error) ?? ''] ?? errorMessage(error).replace(/(?<![.\s])[.\s]+$/, '')
}

/**
 * Reads the text of a file that a variable names.
 * @throws ConfigurationError
 */
export function readNamedFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new ConfigurationError(`${variable} is ${path}, which cannot be read: ${fileReason(error)}.`, { cause: error })
  }
}
