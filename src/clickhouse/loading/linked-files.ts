import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataFile } from './data-file.ts'

export interface LinkedFiles {
  /** The argument with which the engine's `file()` reads all of them. */
  readonly pattern: string
  remove(): Promise<void>
}

/**
 * Gives files plain names, by links in a folder of their own. The engine takes braces, stars and `::` in a path for patterns and archives, and a name of a
 * file may have any of them.
 */
export async function linkFiles(files: readonly DataFile[]): Promise<LinkedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-load-'))
  for (const [index, { path, ending }] of files.entries()) await symlink(path, join(folder, `${index}${ending}`))
  return { pattern: join(folder, '*'), remove: () => rm(folder, { recursive: true, force: true }) }
}
