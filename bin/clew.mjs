#!/usr/bin/env node
import { existsSync } from 'node:fs'

if (existsSync(new URL('../dist/main/cli.js', import.meta.url))) {
  await import('../dist/main/cli.js')
} else {
  console.error('clew is not compiled yet: run `npm ci` in its folder.')
  process.exitCode = 2
}
