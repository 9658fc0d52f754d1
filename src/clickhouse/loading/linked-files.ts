import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataFile } from './data-file.ts'

export interface LinkedFiles {
  /** The argument that makes the engine's `file()` read all linked files. */
  readonly pattern: string
  remove(): Promise<void>
}

/**
 * Gives files plain names: makes links to them in a temporary folder. A file name may contain braces, stars or `::`, which the engine would read as
 * patterns and archives.
 */
export async function linkFiles(files: readonly DataFile[]): Promise<LinkedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-load-'))
  for (const [index, { path, ending }] of files.entries()) await symlink(path, join(folder, `${index}${ending}`))
  return { pattern: join(folder, '*'), remove: () => rm(folder, { recursive: true, force: true }) }
}
