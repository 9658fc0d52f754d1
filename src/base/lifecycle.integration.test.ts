import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { compiledEntry } from './package-files.ts'

const compiled = (name: string) => JSON.stringify(compiledEntry(`test/${name}`))

/** Runs statements in a new process. The exit code is 3 if the process ends by itself. Needs `dist/`. */
async function runToEnd(statements: string): Promise<{ readonly code: number | null; readonly log: string }> {
  const { code, log } = await run(statements)
  return { code, log }
}

async function run(statements: string) {
  const program = `import { endSoon, shutdownSignal } from ${compiled('lifecycle')}
    import { createLogger } from ${compiled('logger')}
    process.exitCode = 3
    ${statements}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.on('data', part => {
    log += part
  })
  const [code, endedBy]: (number | string | null)[] = await once(child, 'close')
  return { code: typeof code === 'number' ? code : null, endedBy, log }
}

describe('a process with closed resources', () => {
  it('ends with its exit code although something holds it open, and says what', async () => {
    const { code, log } = await runToEnd('setInterval(() => undefined, 60_000); endSoon(createLogger({}), 50)')
    expect(code).toBe(3)
    expect(JSON.parse(log)).toMatchObject({
      active: expect.arrayContaining(['Timeout']),
      msg: 'something is still open; the process ends without it',
    })
  })

  it('ends silently and at once if nothing holds it open', async () => {
    expect(await runToEnd('endSoon(createLogger({}), 3_600_000)')).toEqual({ code: 3, log: '' })
  })
})

describe('a process that is stopped twice', () => {
  const TOLD = `process.kill(process.pid, 'SIGINT'); setImmediate(() => process.kill(process.pid, 'SIGINT'))`

  it('still closes its resources if both signals come together, as with Ctrl-C under npm', async () => {
    const stopping = `const { signal } = shutdownSignal()
      signal.addEventListener('abort', () => setTimeout(() => process.stderr.write('closed'), 100))`
    expect(await run(`${stopping}; ${TOLD}; setTimeout(() => undefined, 200)`)).toEqual({ code: 3, endedBy: null, log: 'closed' })
  })

  it('ends at once on a second, separate signal', async () => {
    const { endedBy } = await run(`shutdownSignal(0); ${TOLD}; setInterval(() => undefined, 60_000)`)
    expect(endedBy).toBe('SIGINT')
  })
})
