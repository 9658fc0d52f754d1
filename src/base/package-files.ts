import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = rootAbove(dirname(fileURLToPath(import.meta.url)))

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder))
}

/** Returns the path of a file or folder of the package, such as `prompts`. Works in `src/` and in `dist/`. */
export function packageFile(...path: readonly string[]): string {
  return join(ROOT, ...path)
}

export function packageVersion(): string {
  return (JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }).version
}

/**
 * Returns the compiled file of a thread or process. Node runs `dist/`, even if the caller is a test in `src/`.
 * @param entry the source file's path in `src/` without extension, such as `clickhouse/engine/engine-process`; it must be listed
 * in `scripts/build.mjs`
 */
export function compiledEntry(entry: string): string {
  return packageFile('dist', `${entry}.js`)
}
