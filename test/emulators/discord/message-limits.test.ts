import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type DiscordEmulator, startDiscordEmulator } from './discord-emulator.ts'
import { DISCORD_LIMITS } from './discord-limits.ts'
import type { JsonObject } from './json.ts'
import { type RestAnswer, RestClient } from './rest-client.ts'

const long = (length: number) => 'x'.repeat(length)
const many = <Item>(count: number, make: (index: number) => Item) => Array.from({ length: count }, (_, index) => make(index))
const button = (index: number, more: JsonObject = {}) => ({
  type: 2,
  style: 2,
  label: `B${index}`,
  custom_id: `b${index}`,
  ...more,
})
const row = (components: readonly JsonObject[]) => ({ type: 1, components })
const one = (more: JsonObject) => ({ content: 'x', components: [row([button(0, more)])] })
const error = (code: string) => ({ _errors: [{ code }] })
const V2 = 1 << 15

describe('the limits of a message', () => {
  let discord: DiscordEmulator
  let rest: RestClient
  let path: string

  beforeEach(async () => {
    discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
    rest = new RestClient(discord)
    path = `/channels/${discord.channel('general').id}/messages`
  })
  afterEach(() => discord.close())

  const post = (body: JsonObject, files?: readonly { readonly name: string; readonly content: Buffer }[]): Promise<RestAnswer> =>
    rest.request('POST', path, { body, ...(files === undefined ? {} : { files }) })

  const { content, nonce, embeds, embedTitle, embedDescription, embedFields, embedFieldName, embedFieldValue } = DISCORD_LIMITS
  const { embedFooter, embedAuthor, embedTotal, buttonLabel, customId, buttonUrl, actionRows, buttons } = DISCORD_LIMITS
  const field = { name: 'n', value: 'v' }
  const link = (length: number) => ({ style: 5, custom_id: undefined, url: `https://x.io/${long(length - 13)}` })

  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['content', { content: long(content) }, { content: long(content + 1) }, { content: error('BASE_TYPE_MAX_LENGTH') }],
    [
      'nonce',
      { content: 'x', nonce: long(nonce) },
      { content: 'x', nonce: long(nonce + 1) },
      { nonce: error('BASE_TYPE_MAX_LENGTH') },
    ],
    [
      'embeds',
      { embeds: many(embeds, () => ({ title: 'x' })) },
      { embeds: many(embeds + 1, () => ({ title: 'x' })) },
      { embeds: error('BASE_TYPE_MAX_LENGTH') },
    ],
    [
      'embed title',
      { embeds: [{ title: long(embedTitle) }] },
      { embeds: [{ title: long(embedTitle + 1) }] },
      { embeds: { 0: { title: error('BASE_TYPE_MAX_LENGTH') } } },
    ],
    [
      'embed description',
      { embeds: [{ description: long(embedDescription) }] },
      { embeds: [{ description: long(embedDescription + 1) }] },
      { embeds: { 0: { description: error('BASE_TYPE_MAX_LENGTH') } } },
    ],
    [
      'embed fields',
      { embeds: [{ fields: many(embedFields, () => field) }] },
      { embeds: [{ fields: many(embedFields + 1, () => field) }] },
      { embeds: { 0: { fields: error('BASE_TYPE_MAX_LENGTH') } } },
    ],
    [
      'embed field name',
      { embeds: [{ fields: [{ ...field, name: long(embedFieldName) }] }] },
      { embeds: [{ fields: [{ ...field, name: long(embedFieldName + 1) }] }] },
      { embeds: { 0: { fields: { 0: { name: error('BASE_TYPE_BAD_LENGTH') } } } } },
    ],
    [
      'embed field value',
      { embeds: [{ fields: [{ ...field, value: long(embedFieldValue) }] }] },
      { embeds: [{ fields: [{ ...field, value: long(embedFieldValue + 1) }] }] },
      { embeds: { 0: { fields: { 0: { value: error('BASE_TYPE_BAD_LENGTH') } } } } },
    ],
    [
      'an embed field without a value',
      { embeds: [{ fields: [field] }] },
      { embeds: [{ fields: [{ name: 'n', value: ' ' }] }] },
      { embeds: { 0: { fields: { 0: { value: error('BASE_TYPE_REQUIRED') } } } } },
    ],
    [
      'embed footer',
      { embeds: [{ footer: { text: long(embedFooter) } }] },
      { embeds: [{ footer: { text: long(embedFooter + 1) } }] },
      { embeds: { 0: { footer: { text: error('BASE_TYPE_BAD_LENGTH') } } } },
    ],
    [
      'embed author',
      { embeds: [{ author: { name: long(embedAuthor) } }] },
      { embeds: [{ author: { name: long(embedAuthor + 1) } }] },
      { embeds: { 0: { author: { name: error('BASE_TYPE_BAD_LENGTH') } } } },
    ],
    [
      'all embeds together',
      { embeds: [{ description: long(4_096) }, { description: long(embedTotal - 4_096) }] },
      { embeds: [{ description: long(4_096) }, { description: long(embedTotal - 4_096), footer: { text: 'x' } }] },
      { embeds: { 1: error('MAX_EMBED_SIZE_EXCEEDED') } },
    ],
    [
      'an embed with nothing in it',
      { embeds: [{ title: 'x' }] },
      { embeds: [{}] },
      { embeds: { 0: { description: error('BASE_TYPE_REQUIRED') } } },
    ],
    [
      'the scheme of an address',
      { embeds: [{ title: 'x', url: 'https://example.com' }] },
      { embeds: [{ title: 'x', url: 'javascript:alert(1)' }] },
      { embeds: { 0: { url: error('URL_TYPE_INVALID_SCHEME') } } },
    ],
    [
      'rows',
      { content: 'x', components: many(actionRows, index => row([button(index)])) },
      { content: 'x', components: many(actionRows + 1, index => row([button(index)])) },
      { components: error('BASE_TYPE_MAX_LENGTH') },
    ],
    [
      'buttons of a row',
      { content: 'x', components: [row(many(buttons, index => button(index)))] },
      { content: 'x', components: [row(many(buttons + 1, index => button(index)))] },
      { components: { 0: { components: error('BASE_TYPE_BAD_LENGTH') } } },
    ],
    [
      'buttons at the top',
      { content: 'x', components: [row([button(0)])] },
      { content: 'x', components: [button(0)] },
      { components: { 0: { type: error('BASE_TYPE_CHOICES') } } },
    ],
    [
      'label',
      one({ label: long(buttonLabel) }),
      one({ label: long(buttonLabel + 1) }),
      { components: { 0: { components: { 0: { label: error('BASE_TYPE_MAX_LENGTH') } } } } },
    ],
    [
      'a label or an emoji',
      one({ label: undefined, emoji: { name: '👍' } }),
      one({ label: '' }),
      { components: { 0: { components: { 0: { label: error('BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED') } } } } },
    ],
    [
      'custom_id',
      one({ custom_id: long(customId) }),
      one({ custom_id: long(customId + 1) }),
      { components: { 0: { components: { 0: { custom_id: error('BASE_TYPE_BAD_LENGTH') } } } } },
    ],
    [
      'a custom_id twice',
      { content: 'x', components: [row([button(0), button(1)])] },
      { content: 'x', components: [row([button(0), button(0)])] },
      { components: { 0: { components: { 1: { custom_id: error('COMPONENT_CUSTOM_ID_DUPLICATED') } } } } },
    ],
    [
      'the address of a button',
      one(link(buttonUrl)),
      one(link(buttonUrl + 1)),
      { components: { 0: { components: { 0: { url: error('BASE_TYPE_BAD_LENGTH') } } } } },
    ],
    [
      'components of the second version',
      { flags: V2, components: many(DISCORD_LIMITS.components, () => ({ type: 10, content: 'x' })) },
      { flags: V2, components: many(DISCORD_LIMITS.components + 1, () => ({ type: 10, content: 'x' })) },
      { components: error('COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED') },
    ],
    [
      'text of the second version',
      { flags: V2, components: [{ type: 10, content: long(4_000) }] },
      {
        flags: V2,
        components: [
          { type: 10, content: long(3_999) },
          { type: 10, content: 'xx' },
        ],
      },
      { components: error('COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED') },
    ],
    [
      'content beside the second version',
      { flags: V2, components: [{ type: 17, components: [{ type: 10, content: 'x' }] }] },
      { flags: V2, content: 'x', components: [{ type: 10, content: 'x' }] },
      { content: error('MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2') },
    ],
    [
      'ids of allowed_mentions',
      { content: 'x', allowed_mentions: { users: many(100, index => String(index)) } },
      { content: 'x', allowed_mentions: { users: many(101, index => String(index)) } },
      { allowed_mentions: { users: error('BASE_TYPE_MAX_LENGTH') } },
    ],
    [
      'parse beside ids',
      { content: 'x', allowed_mentions: { parse: ['users'], users: [] } },
      { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
      { allowed_mentions: error('MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE') },
    ],
    [
      'a reply to a message that is gone',
      { content: 'x', message_reference: { message_id: '1', fail_if_not_exists: false } },
      { content: 'x', message_reference: { message_id: '1' } },
      { message_reference: error('REPLIES_UNKNOWN_MESSAGE') },
    ],
  ])('%s', async (_name, allowed, refused, errors) => {
    expect(await post(allowed)).toMatchObject({ status: 200 })
    const { status, body } = await post(refused)
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 50035, message: 'Invalid Form Body', errors } })
    expect(discord.transcript('general')).toHaveLength(1)
  })

  it('report all mistakes at once', async () => {
    const { body } = await post({ content: long(2_001), embeds: [{ title: long(257), footer: { text: long(2_049) } }] })
    expect(body).toEqual({
      code: 50035,
      message: 'Invalid Form Body',
      errors: {
        content: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer in length.' }] },
        embeds: {
          0: {
            title: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 256 or fewer in length.' }] },
            footer: { text: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH', message: 'Must be between 1 and 2048 in length.' }] } },
          },
        },
      },
    })
  })

  it.each([[{}], [{ content: '' }], [{ content: ' \n ' }], [{ embeds: [] }]])('refuse %j as empty', async body => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 50006 } })
  })

  it('allow ten files of up to 10 MiB, and 25 MiB in total', async () => {
    const file = (size: number) => ({ name: 'rows.csv', content: Buffer.alloc(size) })
    const { fileBytes, files } = DISCORD_LIMITS
    expect(await post({}, [file(fileBytes)])).toMatchObject({ status: 200 })
    expect(await post({}, [file(fileBytes + 1)])).toMatchObject({ status: 400, body: { code: 50045 } })
    expect(
      await post(
        {},
        many(files, () => file(1)),
      ),
    ).toMatchObject({ status: 200 })
    expect(
      await post(
        {},
        many(files + 1, () => file(1)),
      ),
    ).toMatchObject({ status: 400, body: { code: 30015 } })
    const heavy = many(3, () => file(9 * 1_024 * 1_024))
    expect(await post({}, heavy)).toMatchObject({ status: 413, body: { code: 40005 } })
  })

  it('refuse anything but JSON and forms', async () => {
    const headers = { 'content-type': 'application/json' }
    const text = await fetch(`${discord.apiUrl}/v10${path}`, {
      method: 'POST',
      body: '{',
      headers: { ...headers, authorization: `Bot ${discord.botToken}` },
    })
    expect(await text.json()).toMatchObject({ code: 50109 })
    const plain = await rest.request('POST', path, { body: {}, headers: { 'content-type': 'text/plain' } })
    expect(plain).toMatchObject({ status: 400, body: { code: 50035 } })
  })
})
