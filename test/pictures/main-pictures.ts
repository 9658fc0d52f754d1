import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { createDiscordOutbox } from '../../src/bots/discord/outbox.ts'
import { createSlackOutbox } from '../../src/bots/slack/outbox.ts'
import { drawPicture } from '../../src/charts/draw-picture.ts'
import type { GraphPicture, Picture } from '../../src/charts/picture.ts'
import type { ChatPlace } from '../../src/chat/event.ts'
import type { ChatOutbox } from '../../src/chat/platform.ts'
import { startDiscordEmulator } from '../emulators/discord/discord-emulator.ts'
import { startSlackEmulator } from '../emulators/slack/slack-emulator.ts'
import { DISCORD_STYLE, discordMessageHtml } from './discord-html.ts'
import { ASKER, CLEW, escapeHtml, messageHtml, pageHtml } from './html.ts'
import { answerSamples, type Sample } from './sample-answers.ts'
import { LARGE_GRAPH } from './sample-graph.ts'
import { screenshot } from './screenshot.ts'
import { SLACK_STYLE, slackMessageHtml } from './slack-html.ts'

const FOLDER = fileURLToPath(new URL('../../docs/pictures/', import.meta.url))
/** The maximum size of a picture in bytes, so that documents with pictures load quickly. */
const MOST_BYTES = 150_000
/** The maximum size of a graph's picture. It is larger, because its letters must be readable. */
const MOST_GRAPH_BYTES = 350_000
const logger = pino({ level: 'silent' })
const drawChart = async (chart: Picture) => drawPicture(chart)
const signal = new AbortController().signal

/** Posts sample answers through the real code to the emulated platforms, and takes pictures of them. @returns the exit code */
export async function mainPictures(browser: string): Promise<number> {
  await mkdir(FOLDER, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'clew-pictures-'))
  try {
    const samples = await answerSamples(signal)
    const pages = { ...(await slackPages(samples)), ...(await discordPages(samples)) }
    for (const [name, html] of Object.entries(pages)) {
      const page = join(folder, `${name}.html`)
      const picture = join(FOLDER, `${name}.png`)
      await writeFile(page, html)
      await screenshot(browser, pathToFileURL(page).href, picture)
      await checkSize(picture, MOST_BYTES)
    }
    for (const [name, graph] of Object.entries({ 'lineage-graph': graphOf(samples), 'lineage-graph-of-60': LARGE_GRAPH })) {
      const picture = join(FOLDER, `${name}.png`)
      // This picture is drawn at normal density. A higher one is only useful if somebody opens the picture on a screen.
      await writeFile(picture, drawPicture(graph, 1))
      await checkSize(picture, MOST_GRAPH_BYTES)
    }
  } finally {
    await rm(folder, { recursive: true })
  }
  return 0
}

function graphOf(samples: readonly Sample[]): GraphPicture {
  for (const { reply } of samples) if (reply.chart?.kind === 'graph') return reply.chart
  throw new Error('no sample has a graph')
}

async function checkSize(picture: string, most: number): Promise<void> {
  const { size } = await stat(picture)
  if (size > most) throw new Error(`${picture} has ${size} bytes, more than ${most}.`)
  console.log(`${picture}: ${Math.ceil(size / 1_000)} kB`)
}

async function slackPages(samples: readonly Sample[]): Promise<Record<string, string>> {
  const slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  try {
    const outbox = createSlackOutbox({ apiUrl: slack.apiUrl, botToken: slack.botToken, logger, drawChart })
    const pages: Record<string, string> = {}
    for (const sample of samples) {
      const { ts, channel } = slack.user('alice').post('general', `${slack.botMention} ${sample.question}`)
      const place: ChatPlace = { platform: 'slack', workspace: slack.teamId, channel, thread: ts, isDirect: false }
      await postSample(outbox, place, sample)
      const shown = slack.transcript(channel).filter(message => message.threadTs === ts && message.isFromBot)
      pages[`slack-${sample.name}`] = pageHtml(SLACK_STYLE, [
        questionHtml('slack', sample),
        ...shown.map(message => messageHtml(CLEW, '9:41 AM', slackMessageHtml(message, sample.reply.chart))),
      ])
    }
    return pages
  } finally {
    await slack.close()
  }
}

async function discordPages(samples: readonly Sample[]): Promise<Record<string, string>> {
  const discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
  try {
    const own = { apiUrl: discord.apiUrl, token: discord.botToken, applicationId: discord.appId }
    const outbox = createDiscordOutbox({ ...own, logger, drawChart })
    const pages: Record<string, string> = {}
    for (const sample of samples) {
      const { id, channelId: channel } = discord.user('alice').post('general', `${discord.botMention} ${sample.question}`)
      const place: ChatPlace = { platform: 'discord', workspace: discord.guild.id, channel, thread: id, isDirect: false }
      await postSample(outbox, place, sample)
      pages[`discord-${sample.name}`] = pageHtml(DISCORD_STYLE, [
        questionHtml('discord', sample),
        ...discord.transcript(id).map(message => messageHtml(CLEW, 'Today at 9:41 AM', discordMessageHtml(message))),
      ])
    }
    return pages
  } finally {
    await discord.close()
  }
}

function questionHtml(platform: 'slack' | 'discord', { question }: Sample): string {
  const time = platform === 'slack' ? '9:41 AM' : 'Today at 9:41 AM'
  return messageHtml(ASKER, time, `<p><span class="mention">@Clew</span> ${escapeHtml(question)}</p>`)
}

async function postSample(outbox: ChatOutbox, place: ChatPlace, { name, reply }: Sample): Promise<void> {
  for (const [index, part] of (await outbox.render(reply)).entries()) await outbox.post(place, part, `${name}-${index}`, signal)
}
