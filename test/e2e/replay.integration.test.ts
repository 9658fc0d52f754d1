import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import { type ClewProcess, startClew } from '../support/clew-process.ts'
import { type ClewWorld, startClewWorld } from '../support/clew-world.ts'
import { type EndlessPipeline, startEndlessPipeline } from '../support/endless-pipeline.ts'
import { until } from '../support/queue-harness.ts'

const RECOVERY_MS = 40_000
const QUESTION = 'lineage daily --deep why are there so few rows?'

let world: ClewWorld
let discord: DiscordEmulator
let pipeline: EndlessPipeline
let env: Readonly<Record<string, string>>
let worker: ClewProcess
const processes: ClewProcess[] = []

beforeAll(async () => {
  ;[discord, world] = await Promise.all([startDiscordEmulator({ rateLimits: 'relaxed' }), startClewWorld({})])
  pipeline = await startEndlessPipeline(world.engine.warehouse)
  const { writer } = await world.engine.engine.endpoint(AbortSignal.timeout(10_000))
  env = {
    ...world.env,
    CLEW_WRITER_URL: writer.url.replace('//', `//${writer.username}:${writer.password}@`),
    DISCORD_TOKEN: discord.botToken,
    DISCORD_APPLICATION_ID: discord.appId,
    DISCORD_API_URL: discord.apiUrl,
  }
  ;[, worker] = await Promise.all([start('bots'), start('worker')])
  await discord.waitFor(() => discord.gateway.connected() === 1)
})
afterAll(async () => {
  await Promise.all(processes.map(each => each.kill()))
  await world?.close()
  await discord?.close()
})

async function start(command: 'bots' | 'worker'): Promise<ClewProcess> {
  const started = await startClew(command, command === 'bots' ? 'connected' : 'worker started', env)
  processes.push(started)
  return started
}

function first<Message>(messages: readonly Message[]): Message {
  const [message] = messages
  if (message === undefined) throw new Error('nothing is shown')
  return message
}

describe('a question in a thread that waits for a replay', () => {
  it('continues the same replay after kill -9 of its worker, shows progress, and ends with its query on Stop', async () => {
    await pipeline.setEndless(true)
    const inSlack = world.slack.user('alice').post('data', `${world.slack.botMention} ${QUESTION}`)
    const inDiscord = discord.user('alice').post('general', `${discord.botMention} ${QUESTION}`)
    const shownInSlack = () => world.replies(inSlack)
    const shownInDiscord = () =>
      discord.transcript('general').some(({ id, threadId }) => id === inDiscord.id && threadId !== undefined)
        ? discord.transcript(inDiscord.id).filter(({ isFromBot }) => isFromBot)
        : []
    const areShown = (text: string) =>
      [shownInSlack(), shownInDiscord()].every(([reply, ...others]) => reply?.plain.includes(text) && others.length === 0)
    await until('both threads show how far it is', async () => areShown('step 3 of 5, 101.5K rows'), RECOVERY_MS)

    await worker.kill()
    worker = await start('worker')
    const restarted = new Date()
    await until('both are run again', async () => (await pipeline.seenSince(restarted)) === 2, RECOVERY_MS)
    console.info(`taken up again ${Date.now() - restarted.getTime()} ms after the restart`)

    world.slack.user('alice').press(first(shownInSlack()), { label: 'Stop' })
    discord.user('alice').press(first(shownInDiscord()), { label: 'Stop' })
    await until('both threads say so', async () => areShown('Stopped.'), RECOVERY_MS)
    await until('both replays have ended', async () => (await pipeline.countReplays('CANCELLED')) === 2, RECOVERY_MS)
    expect(await pipeline.busy()).toBe(0)
    expect(await pipeline.countReplays('RUNNING')).toBe(0)
    expect(world.model.callsOf('lineage')).toHaveLength(0)
  }, 120_000)
})
