import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { expect, it } from '@jest/globals'

const state: { isCompiled(): boolean; isInstalled(): boolean } = await import(
  new URL('../scripts/install-state.mjs', import.meta.url).href
)
const compiledAt = () => statSync('dist/main/cli.js').mtimeMs

// If the compiled files are outdated, this test is skipped. Otherwise it would compile them while other tests use them.
const whereCompiled = state.isInstalled() && state.isCompiled() ? it : it.skip

whereCompiled('compiles nothing again when the first `npx clew` prepares the package', () => {
  const before = compiledAt()
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    env: { ...process.env, npm_lifecycle_event: 'prepare' },
    stdio: 'inherit',
  })
  expect([status, compiledAt()]).toEqual([0, before])
})
