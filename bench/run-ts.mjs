// Runs a benchmark program that is written in TypeScript: `node bench/run-ts.mjs FILE.ts [ARGUMENTS]`.
import { register } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

register('../scripts/typescript-hooks.mjs', import.meta.url)
const [file = ''] = process.argv.splice(2, 1)
await import(pathToFileURL(resolve(file)).href)
