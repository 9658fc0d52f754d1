#!/usr/bin/env node
// Writes the types of the library into types/, before `npm pack` packs them. TypeScript emits a declaration for each module of the
// program. Only those that the library's own declarations lead to are kept.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ENTRIES = ['main/library', 'main/library-evals']
const IMPORT = /((?:from |import\()['"])(\.[^'"]*)\.ts(?=['"])/g

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'clew-types-'))
try {
  process.exitCode = emit()
  if (process.exitCode === 0) keepReached()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function emit() {
  const compilerOptions = {
    ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
    ...{ rootDir: resolve('src'), outDir: folder, typeRoots: [resolve('node_modules/@types')] },
  }
  const files = [...ENTRIES.map(entry => `${entry}.ts`), 'charts/echarts-in-one-file.d.ts'].map(file => resolve('src', file))
  const config = join(folder, 'tsconfig.json')
  writeFileSync(config, JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, files, include: [] }))
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config], { stdio: 'inherit' })
  return status ?? 1
}

function keepReached() {
  rmSync('types', { recursive: true, force: true })
  const reached = new Set(ENTRIES)
  for (const file of reached) {
    const text = readFileSync(join(folder, `${file}.d.ts`), 'utf8').replace(IMPORT, (_, start, path) => {
      reached.add(join(dirname(file), path))
      return `${start}${path}.js`
    })
    const target = join('types', `${file}.d.ts`)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}
