import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from '@jest/globals'
import { compiledEntry } from './package-files.ts'

const module = (name: string) => JSON.stringify(compiledEntry(`test/${name}`))
/**
 * Starts two runs. One of them blocks the event loop in its second step. Once the loop turns again, the script reports which run was ended.
 */
const script = (work: string, lostMs: number) => `
  const { setTimeout: wait } = await import('node:timers/promises')
  const { createLogger } = await import(${module('logger')})
  const { watchLoop } = await import(${module('watch-loop')})
  const { asRun, asStep } = await import(${module('watched-work')})
  const ended = []
  const busy = milliseconds => {
    const began = process.cpuUsage()
    do for (let count = 0; count < 1e5; count += 1) ended.length
    while (process.cpuUsage(began).user < milliseconds * 1000)
  }
  const watch = watchLoop(createLogger({}), { beatMs: 20, lookMs: 50, heldMs: 400, lostMs: ${lostMs} })
  const run = (id, work) => asRun({ id, end: () => ended.push(id) }, async () => {
    await asStep('plan', () => wait(200))
    await asStep('check Q1', work)
    await wait(1000)
  })
  await Promise.all([run('guilty', async () => { ${work} }), run('beside', () => wait(5)), run('short', async () => busy(60))])
  process.stdout.write(JSON.stringify(ended))
  await watch.close()
`

async function outcomeOf(work: string, lostMs = 5_000) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script(work, lostMs)])
  const [output, errors, [, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { output, signal, log: errors.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : [])) }
}

describe('the watch over the event loop', () => {
  it.each([
    ['a loop', 'busy(900)'],
    [
      'a regular expression',
      "const from = process.cpuUsage(); while (process.cpuUsage(from).user < 0.9e6) /^(a+)+$/.test('a'.repeat(23) + 'b')",
    ],
  ])('ends the run whose step blocks it by %s, and names the step', async (_, work) => {
    const { output, log } = await outcomeOf(work)
    expect(output).toBe('["guilty"]')
    expect(log).toEqual([
      expect.objectContaining({
        level: 50,
        run: 'guilty',
        step: 'check Q1',
        msg: 'a step has kept the event loop; its run is ended',
      }),
    ])
    expect(log[0].heldMs).toBeGreaterThanOrEqual(400)
  })

  it('ends each of two runs that keep it one after the other before it turns', async () => {
    const second =
      "asRun({ id: 'second', end: () => ended.push('second') }, async () => { await null; busy(900); await wait(1000) })"
    const { output, log } = await outcomeOf(`${second}; busy(900)`)
    expect(JSON.parse(output).toSorted()).toEqual(['guilty', 'second'])
    expect(log.map(({ run }) => run).toSorted()).toEqual(['guilty', 'second'])
  })

  it('ends no run for a call into native code with an uncertain caller, and says so', async () => {
    const { output, log } = await outcomeOf(
      "const { pbkdf2Sync } = await import('node:crypto'); pbkdf2Sync('a', 'b', 2_000_000, 64, 'sha512')",
    )
    expect(output).toBe('[]')
    expect(log).toEqual([expect.objectContaining({ level: 40, msg: 'the event loop was kept, and it is not certain by whom' })])
  })

  it('ends no run with short steps, however many there are', async () => {
    expect(await outcomeOf('for (let turn = 0; turn < 20; turn += 1) { busy(40); await wait(1) }')).toMatchObject({
      output: '[]',
      log: [],
    })
  })

  it('ends the process if a step blocks forever, and names the step', async () => {
    const { signal, log } = await outcomeOf('for (;;) busy(10)', 1_500)
    expect(signal).toBe('SIGKILL')
    expect(log).toContainEqual(expect.objectContaining({ level: 60, run: 'guilty', step: 'check Q1' }))
  })
})
