import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataFile } from './data-file.ts'

export interface LinkedFiles {
  /** The path pattern with which the engine's table function `file()` reads all linked files. */
  readonly pattern: string
  remove(): Promise<void>
}

/**
 * Links files in a temporary folder under plain names. In a file's own name, the engine would take braces and stars for patterns,
 * and `::` for an archive.
 */
export async function linkFiles(files: readonly DataFile[]): Promise<LinkedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-load-'))
  for (const [index, { path, ending }] of files.entries()) await symlink(path, join(folder, `${index}${ending}`))
  return { pattern: join(folder, '*'), remove: () => rm(folder, { recursive: true, force: true }) }
}
