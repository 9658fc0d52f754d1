import { fileURLToPath } from 'node:url'

/**
 * Returns the compiled file of a separate process. Node runs `dist/…/x.js`, even if the caller is a test in `src/`.
 * @param moduleUrl the caller's `import.meta.url`
 * @param relative the entry beside it, e.g. `./engine-process.ts`
 */
export function compiledEntry(moduleUrl: string, relative: string): string {
  return fileURLToPath(new URL(relative, moduleUrl))
    .replace(/^(.*[\\/])src(?=[\\/])/, '$1dist')
    .replace(/\.ts$/, '.js')
}
