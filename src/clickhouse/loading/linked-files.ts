import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataFile } from './data-file.ts'

export interface LinkedFiles {
  /** The argument of the engine's `file()` that reads all files. */
  readonly pattern: string
  remove(): Promise<void>
}

/**
 * Gives files plain names, as links in a temporary folder. The engine reads braces, stars and `::` in a path as patterns and archives, and file names
 * may contain any of them.
 */
export async function linkFiles(files: readonly DataFile[]): Promise<LinkedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-load-'))
  for (const [index, { path, ending }] of files.entries()) await symlink(path, join(folder, `${index}${ending}`))
  return { pattern: join(folder, '*'), remove: () => rm(folder, { recursive: true, force: true }) }
}
