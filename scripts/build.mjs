#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
// Compiles src/ to dist/ (`npm ci` calls this as `prepare`). A production install has no compiler, but has the compiled files.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { INSTALL_STAMP, isCompiled, isInstalled, lockHash } from './install-state.mjs'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
// The first `npx clew` in a checkout silently runs `prepare` again, since it links the package into its own folder.
if (process.env.npm_lifecycle_event === 'prepare' && isInstalled() && isCompiled()) process.exit(0)
let compiler
try {
  compiler = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace(/package\.json$/, 'bin/tsc')
} catch {
  if (existsSync('dist')) process.exit(0)
  console.error('clew: TypeScript is not installed, so src/ cannot be compiled. Run `npm ci --include=dev`.')
  process.exit(1)
}
rmSync('dist', { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' })
if (status === 0) writeFileSync(INSTALL_STAMP, lockHash())
process.exit(status ?? 1)
