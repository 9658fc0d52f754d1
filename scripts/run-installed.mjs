#!/usr/bin/env node
// Runs a project command on any clone: it first installs and compiles whatever is missing or outdated. It may import only Node's modules, since
// nothing else may exist yet.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { register } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isCompiled, isInstalled } from './install-state.mjs'

const OLDEST_NODE = [20, 19]
// Each test file loads its own copies of all modules. With this much memory for new objects, the garbage collector copies far fewer of them.
const JEST = ['--max-semi-space-size=64', '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const [command = '', ...rest] = process.argv.slice(2)
const commands = { attack, bench, chaos, demo, evals, fuzz, 'lineage-evals': lineageEvals, pictures, test, validate }
checkNode()
install()
compile()
await commands[command](rest)

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return
  fail(`clew needs Node ${OLDEST_NODE.join('.')} or later; this is ${process.versions.node}.`)
}

function install() {
  if (isInstalled()) return
  console.error('clew: installing packages (once, about a minute) …')
  // npm sets this variable to its own path. If Node was started without npm, npm is found by its name.
  const npm = process.env.npm_execpath
  const [file, args] = npm ? [process.execPath, [npm]] : ['npm', []]
  // npm's output goes to standard error, so that it does not mix with a command's own output.
  const { status } = spawnSync(file, [...args, 'ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) fail('clew: `npm ci` failed; what it said stands above.')
}

function compile() {
  if (isCompiled()) return
  run([process.execPath, 'scripts/build.mjs'])
}

async function attack(args) {
  register('./typescript-hooks.mjs', import.meta.url)
  const { mainAttack } = await import('../test/fuzz/main-attack.ts')
  process.exit(await mainAttack(args))
}

async function bench(args) {
  register('./typescript-hooks.mjs', import.meta.url)
  const { mainBench } = await import('../bench/main-bench.ts')
  process.exit(await mainBench(args))
}

async function chaos(args) {
  register('./typescript-hooks.mjs', import.meta.url)
  const { mainDiscordChaos } = await import('../test/chaos/main-discord-chaos.ts')
  process.exit(await mainDiscordChaos(args))
}

// The demo runs in this process, so that signals such as Ctrl-C reach it.
function demo(args) {
  process.argv = [process.argv[0], 'clew', 'demo', ...args]
  return import('../dist/main/cli.js')
}

function evals(args) {
  process.argv = [process.argv[0], 'clew', 'evals', ...args]
  return import('../dist/main/cli.js')
}

async function fuzz(args) {
  register('./typescript-hooks.mjs', import.meta.url)
  const { mainFuzz } = await import('../test/fuzz/main-fuzz.ts')
  process.exit(await mainFuzz(args))
}

async function lineageEvals(args) {
  register('./typescript-hooks.mjs', import.meta.url)
  const { mainLineageEvals } = await import('../evals/lineage/main-lineage-evals.ts')
  process.exit(await mainLineageEvals(args))
}

async function pictures() {
  register('./typescript-hooks.mjs', import.meta.url)
  const { mainPictures } = await import('../test/pictures/main-pictures.ts')
  process.exit(await mainPictures(process.env.CHROMIUM || 'chromium'))
}

async function test(args) {
  await findRedis()
  const folder = mkdtempSync(join(tmpdir(), 'clew-jest-'))
  const report = join(folder, 'report.json')
  const { status } = spawnSync(process.execPath, [...JEST, ...args, '--json', `--outputFile=${report}`], {
    stdio: ['inherit', 'ignore', 'inherit'],
  })
  const totals = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined
  rmSync(folder, { recursive: true, force: true })
  if (totals === undefined) fail('clew: the tests did not run.')
  const skipped = totals.numPendingTests + totals.numTodoTests
  console.log(`${totals.numPassedTests} passed, ${totals.numFailedTests} failed, ${skipped} skipped`)
  process.exit(status ?? 1)
}

/** Installs Redis if it is missing. Otherwise several tests would try to install it at the same time. */
async function findRedis() {
  register('./typescript-hooks.mjs', import.meta.url)
  const { findRedisServer } = await import('../src/store/redis/binary.ts')
  const logger = { info: sentence => console.error(`clew: ${sentence}`) }
  try {
    await findRedisServer({
      path: process.env.PATH ?? '',
      directory: join('.clew', 'redis'),
      mayInstall: process.getuid?.() === 0,
      logger,
    })
  } catch (error) {
    fail(`clew: ${error.message}`)
  }
}

/** `--without-tests` leaves out the unit tests, because a full test run follows. */
function validate(args) {
  const checks = [
    ['types', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json']],
    ['types of the page', ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'src/console/page']],
    ['lint', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.']],
    ['dead code', ['node_modules/knip/bin/knip.js', '--no-progress']],
    ['import rules', ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src', '--config', '.dependency-cruiser.mjs']],
    ['unit tests', [...JEST, '--testPathIgnorePatterns', 'integration', 'node_modules', 'dist']],
  ]
  for (const [name, check] of args.includes('--without-tests') ? checks.slice(0, -1) : checks) {
    console.error(`── ${name}`)
    run([process.execPath, ...check])
  }
}

function run([file, ...args]) {
  const { status, signal } = spawnSync(file, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1))
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
