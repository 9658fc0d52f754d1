import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { z } from 'zod'
import { startSlackEmulator } from '../../../test/emulators/slack/slack-emulator.ts'
import { ASK_ABOUT_SHORTCUT, SLACK_BOT_SCOPES, SLACK_COMMANDS, SLACK_EVENTS } from './app.ts'
import { SLACK_EVENTS_PATH } from './receive/http.ts'

/**
 * The manifest's fields. The lengths come from node_modules/@slack/web-api/dist/types/request/manifest.d.ts and
 * https://docs.slack.dev/reference/app-manifest.
 */
const manifestSchema = z.object({
  display_information: z.object({ name: z.string().max(35), description: z.string().max(140) }),
  features: z.object({
    app_home: z.object({
      home_tab_enabled: z.literal(true),
      messages_tab_enabled: z.literal(true),
      messages_tab_read_only_enabled: z.literal(false),
    }),
    // `assistant:write` needs this field. New apps no longer have `assistant_view`: https://docs.slack.dev/ai/migrating-to-agent-messaging.
    agent_view: z.object({
      agent_description: z.string().max(300),
      suggested_prompts: z.array(z.object({ title: z.string(), message: z.string() })).max(4),
    }),
    bot_user: z.object({ display_name: z.string().regex(/^[a-z0-9_.-]{1,80}$/) }),
    shortcuts: z.array(
      z.object({
        name: z.string().max(24),
        type: z.enum(['message', 'global']),
        callback_id: z.string(),
        description: z.string().max(150),
      }),
    ),
    slash_commands: z.array(
      z.object({
        command: z.string().startsWith('/').max(32),
        description: z.string().max(2_000),
        usage_hint: z.string().max(1_000),
        should_escape: z.boolean(),
      }),
    ),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()) }),
    interactivity: z.object({ is_enabled: z.literal(true) }),
    socket_mode_enabled: z.literal(true),
  }),
})
const manifest = manifestSchema.parse(parse(readFileSync('app.manifest.yaml', 'utf8')))

const sorted = (names: Iterable<string>) => [...names].sort()

/** Finds the Web API methods that the code calls with Slack's client, such as `client.chat.postMessage(…)`. */
function calledMethods(): ReadonlySet<string> {
  const folder = 'src/bots/slack'
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    name => name.endsWith('.ts') && !name.includes('.test.'),
  )
  const calls = sources.flatMap(name => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(
      /\b(?:client|slack)\.(?!logger\.)((?:[a-z][A-Za-z]*\.)+[a-z][A-Za-z]*)\(/g,
    ),
  ])
  const methods = calls.map(([, method = '']) => method)
  return new Set(methods)
}

describe('the app manifest', () => {
  it("has exactly the code's scopes, events, commands and shortcut", () => {
    expect(sorted(manifest.oauth_config.scopes.bot)).toEqual(sorted(Object.keys(SLACK_BOT_SCOPES)))
    expect(sorted(manifest.settings.event_subscriptions.bot_events)).toEqual(sorted(Object.keys(SLACK_EVENTS)))
    expect(sorted(manifest.features.slash_commands.map(({ command }) => command))).toEqual(sorted(Object.keys(SLACK_COMMANDS)))
    expect(manifest.features.shortcuts).toMatchObject([{ type: 'message', callback_id: ASK_ABOUT_SHORTCUT }])
  })

  it('subscribes to every event that the code handles', () => {
    const listened = readFileSync('src/bots/slack/surface.ts', 'utf8').matchAll(/app\.event\('(\w+)'/g)
    const subscribed = Object.keys(SLACK_EVENTS).map(name => name.replace(/^message\..*/, 'message'))
    // Only apps with `assistant_view` receive this event.
    expect(new Set(Array.from(listened, ([, name]) => name))).toEqual(new Set([...subscribed, 'assistant_thread_started']))
  })

  it('is documented for HTTP with the same events', () => {
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/slack.md', 'utf8')) ?? []
    const address = 'https://clew.example.com/slack/events'
    expect(parse(yaml)).toMatchObject({
      settings: {
        event_subscriptions: { request_url: address, bot_events: manifest.settings.event_subscriptions.bot_events },
        interactivity: { is_enabled: true, request_url: address },
        socket_mode_enabled: false,
      },
    })
    expect(address).toMatch(new RegExp(`${SLACK_EVENTS_PATH}$`))
  })

  it('is explained scope by scope', () => {
    const documented = readFileSync('docs/slack.md', 'utf8').matchAll(/^\| (`[^|]*`) \| [^|]+\|$/gm)
    const scopes = Array.from(documented, ([, names = '']) => names.match(/[\w.]+(?::\w+)?/g) ?? []).flat()
    expect(sorted(scopes.filter(name => name in SLACK_BOT_SCOPES))).toEqual(sorted(Object.keys(SLACK_BOT_SCOPES)))
  })
})

describe('the scopes', () => {
  it("are exactly those that the code's events and calls need", async () => {
    const slack = await startSlackEmulator()
    await slack.close()
    const needed = [...calledMethods()].map(method => ({ method, scopes: slack.scopesOf(method) }))
    expect(needed.map(({ method }) => method)).toContain('chat.postMessage')
    const isEnough = (scopes: readonly string[]) => scopes.length === 0 || scopes.some(scope => scope in SLACK_BOT_SCOPES)
    expect(needed.filter(({ scopes }) => scopes === undefined || !isEnough(scopes))).toEqual([])
    const used = new Set<string | undefined>([
      ...needed.flatMap(({ scopes }) => scopes ?? []),
      ...Object.values(SLACK_EVENTS),
      'commands',
      // `include_all_metadata` needs this scope: https://docs.slack.dev/messaging/message-metadata.
      'metadata.message:read',
    ])
    expect(Object.keys(SLACK_BOT_SCOPES).filter(scope => !used.has(scope))).toEqual([])
  })
})
