#!/usr/bin/env node
// Compiles src/ to dist/. Quietly does nothing where there is no compiler: a production install has the compiled files already.
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
process.chdir(new URL('..', import.meta.url).pathname)
let compiler
try {
  compiler = require.resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc')
} catch {
  if (existsSync('dist')) process.exit(0)
  console.error('clew: TypeScript is not installed, so src/ cannot be compiled. Run `npm ci` with development dependencies.')
  process.exit(1)
}
rmSync('dist', { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
process.exit(status ?? 1)
