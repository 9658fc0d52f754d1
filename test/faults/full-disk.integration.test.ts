import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { askInSlack } from '../support/ask-in-slack.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'

const CLI = fileURLToPath(new URL('../../bin/clew.mjs', import.meta.url))
const QUESTION = 'How many devices are there?'
const SQL = 'SELECT count() AS devices FROM dz_devices'

let world: ClewWorld

beforeAll(async () => {
  world = await startClewWorld({ [QUESTION]: { queries: { [QUESTION]: [SQL] }, answer: 'There are **42 devices** [Q1].' } })
}, 120_000)
afterAll(() => world.close())

/** Starts `clew` with its output or its log on a full disk. */
function startOnFullDisk(args: readonly string[], stream: 'output' | 'log', env: Readonly<Record<string, string>> = {}) {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ...env },
    stdio: stream === 'log' ? ['ignore', 'ignore', full] : ['ignore', full, 'pipe'],
  })
  closeSync(full)
  return child
}

describe('a full disk', () => {
  it('under the log of a worker costs the lines, and neither its answers nor its end', async () => {
    const worker = startOnFullDisk(['worker'], 'log', world.env)
    await world.startBots()
    const { reply, replies } = await askInSlack(world, QUESTION)
    expect(reply).toContain('42 devices')
    expect(replies()).toBe(1)
    worker.kill('SIGTERM')
    expect(await once(worker, 'exit')).toEqual([0, null])
  })

  it('under the output of a command is told in one sentence', async () => {
    const command = startOnFullDisk(['--help'], 'output')
    let told = ''
    command.stderr?.on('data', part => {
      told += part
    })
    expect(await once(command, 'close')).toEqual([1, null])
    expect(told).toBe('The output cannot be written: its disk is full.\n')
  })
})
