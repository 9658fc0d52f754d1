import { fileURLToPath } from 'node:url'

/**
 * The compiled file of a process that is started on its own: Node runs `dist/…/x.js`, whether the caller runs compiled or, in a test,
 * from `src/`.
 * @param moduleUrl the caller's `import.meta.url`
 * @param relative the entry beside it, e.g. `./engine-process.ts`
 */
export function compiledEntry(moduleUrl: string, relative: string): string {
  return fileURLToPath(new URL(relative, moduleUrl))
    .replace(/^(.*[\\/])src(?=[\\/])/, '$1dist')
    .replace(/\.ts$/, '.js')
}
