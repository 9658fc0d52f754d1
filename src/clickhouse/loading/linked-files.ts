import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DataFile } from './data-file.ts'

export interface LinkedFiles {
  /** The path pattern for the engine's table function `file()`. With it, the function reads all the linked files. */
  readonly pattern: string
  remove(): Promise<void>
}

/**
 * Creates links to files in a temporary folder. The links have plain names. In a file's own name, the engine would take braces, stars or `::`
 * for patterns and archives.
 */
export async function linkFiles(files: readonly DataFile[]): Promise<LinkedFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'clew-load-'))
  for (const [index, { path, ending }] of files.entries()) await symlink(path, join(folder, `${index}${ending}`))
  return { pattern: join(folder, '*'), remove: () => rm(folder, { recursive: true, force: true }) }
}
