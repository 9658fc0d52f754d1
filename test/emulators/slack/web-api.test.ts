import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { webApi } from '@slack/bolt'
import { type SlackEmulator, startSlackEmulator } from './slack-emulator.ts'
import { createWebClient } from './web-client.ts'

let slack: SlackEmulator
let client: webApi.WebClient
let general: string

beforeEach(async () => {
  slack = await startSlackEmulator({ rateLimits: 'relaxed' })
  client = createWebClient(slack)
  general = slack.channel('general').id
})

afterEach(() => slack.close())

async function refusal(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'none',
    (error: { readonly data?: { readonly error: string } }) => error.data?.error ?? String(error),
  )
}

async function postId(text = 'hello', thread?: string): Promise<string> {
  const posted = await client.chat.postMessage({ channel: general, text, ...(thread === undefined ? {} : { thread_ts: thread }) })
  return posted.ts ?? ''
}

describe('posting', () => {
  it("is refused with Slack's documented code", async () => {
    const post = (args: { channel: string; text?: string; thread_ts?: string }) =>
      refusal(client.chat.postMessage({ text: 'hi', ...args }))

    expect(await post({ channel: 'C000000000X' })).toBe('channel_not_found')
    expect(await post({ channel: slack.channel('random').id })).toBe('not_in_channel')
    expect(await post({ channel: general, text: ' ' })).toBe('no_text')
    slack.archive('general')
    expect(await post({ channel: general })).toBe('is_archived')
  })

  it('cuts text after 40,000 characters instead of refusing it', async () => {
    await postId('x'.repeat(40_001))
    expect(slack.transcript('general')[0]?.text).toHaveLength(40_000)
  })

  it("goes to the channel itself if the thread's parent is gone", async () => {
    const question = slack.user('alice').post('general', 'gone soon')
    slack.user('alice').delete(question)
    await postId('orphan', question.ts)
    expect(slack.transcript('general')).toMatchObject([{ text: 'orphan', threadTs: undefined }])
  })

  it('reaches a person by user id, in the direct conversation', async () => {
    await client.chat.postMessage({ channel: slack.user('bob').id, text: 'psst' })
    const direct = slack.workspace.directChannel(slack.user('bob').id, slack.botUserId)
    expect(slack.transcript(direct.id)).toMatchObject([{ text: 'psst', isFromBot: true }])
  })

  it('of an ephemeral message shows it only to its addressee', async () => {
    await client.chat.postEphemeral({ channel: general, user: slack.user('alice').id, text: 'only you' })
    expect(slack.transcript('general', { as: 'alice' })).toMatchObject([{ text: 'only you', isEphemeral: true }])
    expect(slack.transcript('general', { as: 'bob' })).toEqual([])
  })
})

describe('chat.update', () => {
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'old block' } }]

  it('keeps the blocks unless an empty array is sent', async () => {
    const posted = await client.chat.postMessage({ channel: general, text: 'old', blocks })
    const ts = posted.ts ?? ''
    await client.chat.update({ channel: general, ts, text: 'new' })
    expect(slack.transcript('general')[0]).toMatchObject({ text: 'new', plain: 'old block' })

    await client.chat.update({ channel: general, ts, text: 'newest', blocks: [] })
    expect(slack.transcript('general')[0]).toMatchObject({ plain: 'newest', blocks: [] })
    expect(slack.transcript('general')[0]?.history.map(version => version.text)).toEqual(['old', 'new', 'newest'])
  })

  it("refuses text beyond 4,000 characters, others' messages and missing messages", async () => {
    const ts = await postId()
    const update = (id: string, text = 'new') => refusal(client.chat.update({ channel: general, ts: id, text }))
    expect(await update(ts, 'x'.repeat(4_000))).toBe('none')
    expect(await update(ts, 'x'.repeat(4_001))).toBe('msg_too_long')
    expect(await update(slack.user('alice').post('general', 'mine').ts)).toBe('cant_update_message')
    await client.chat.delete({ channel: general, ts })
    expect(await update(ts)).toBe('message_not_found')
    expect(await refusal(client.chat.delete({ channel: general, ts }))).toBe('message_not_found')
  })
})

describe('a thread', () => {
  it('is read with its parent first, page by page, and metadata only on request', async () => {
    const question = slack.user('alice').post('general', 'question')
    const metadata = { event_type: 'clew_part', event_payload: { marker: 'run-1/1' } }
    await client.chat.postMessage({ channel: general, thread_ts: question.ts, text: 'first', metadata })
    await postId('second', question.ts)
    const read = (args: { limit?: number; cursor?: string; include_all_metadata?: boolean }) =>
      client.conversations.replies({ channel: general, ts: question.ts, ...args })

    const bare = await read({})
    expect(bare.messages?.map(message => message.text)).toEqual(['question', 'first', 'second'])
    expect(bare.messages?.[0]).toMatchObject({ reply_count: 2, thread_ts: question.ts })
    expect(bare.messages?.[1]).not.toHaveProperty('metadata')
    expect((await read({ include_all_metadata: true })).messages?.[1]).toMatchObject({ metadata })

    const page = await read({ limit: 2 })
    expect(page).toMatchObject({ has_more: true, messages: [{ text: 'question' }, { text: 'first' }] })
    const rest = await read({ limit: 2, cursor: page.response_metadata?.next_cursor ?? '' })
    expect(rest).toMatchObject({ has_more: false, messages: [{ text: 'second' }] })
  })

  it('that does not exist is not found', async () => {
    expect(await refusal(client.conversations.replies({ channel: general, ts: '1700000000.000001' }))).toBe('thread_not_found')
  })
})

describe('tokens and scopes', () => {
  it('are checked like in Slack', async () => {
    expect(await refusal(createWebClient(slack, 'xoxb-wrong').auth.test())).toBe('invalid_auth')
    expect(await refusal(createWebClient(slack, slack.appToken).auth.test())).toBe('not_allowed_token_type')
    slack.failToken('bot', 'token_revoked')
    expect(await refusal(client.auth.test())).toBe('token_revoked')
    slack.failToken('bot', undefined)
    expect(await client.auth.test()).toMatchObject({ user_id: slack.botUserId, bot_id: slack.botId })
  })

  it('a missing scope is named', async () => {
    const bare = await startSlackEmulator({ botScopes: ['chat:write'] })
    const call = createWebClient(bare).users.info({ user: bare.user('alice').id })
    await expect(call).rejects.toMatchObject({ data: { error: 'missing_scope', needed: 'users:read', provided: 'chat:write' } })
    await bare.close()
  })
})

describe('other methods', () => {
  it('list people, channels and bots', async () => {
    const alice = await client.users.info({ user: slack.user('alice').id })
    expect(alice.user).toMatchObject({ name: 'alice', tz: 'Europe/Berlin', is_bot: false })
    expect(await client.conversations.info({ channel: general })).toMatchObject({ channel: { name: 'general', is_member: true } })
    expect(await client.bots.info({ bot: slack.botId })).toMatchObject({ bot: { user_id: slack.botUserId } })
    const opened = await client.conversations.open({ users: slack.user('bob').id })
    expect(opened.channel?.id).toMatch(/^D/)
  })

  it('upload a file in three steps into a thread', async () => {
    const question = slack.user('alice').post('general', 'as a file, please')
    await client.filesUploadV2({
      channel_id: general,
      thread_ts: question.ts,
      filename: 'rows.csv',
      file: Buffer.from('a,b\n1,2\n'),
      initial_comment: 'All rows',
    })
    const shared = slack.transcript('general').at(-1)
    expect(shared).toMatchObject({
      text: 'All rows',
      threadTs: question.ts,
      subtype: 'file_share',
      files: [{ name: 'rows.csv' }],
    })
    expect(shared?.files[0]?.content.toString()).toBe('a,b\n1,2\n')
  })

  it('share a file in a conversation, not with a person, and delete it everywhere', async () => {
    const upload = (channel: string) =>
      client.filesUploadV2({ channel_id: channel, filename: 'rows.csv', file: Buffer.from('a\n'), initial_comment: 'All rows' })
    expect(await refusal(upload(slack.user('bob').id))).toBe('channel_not_found')
    await upload(general)
    const [file] = slack.transcript('general')[0]?.files ?? []
    await client.files.delete({ file: file?.id ?? '' })
    expect(slack.transcript('general')).toEqual([])
    expect(await refusal(client.files.delete({ file: file?.id ?? '' }))).toBe('file_not_found')
  })

  it('refuse exactly the block types set as unknown', async () => {
    slack.faults.refuseBlocks(['header'])
    const blocks = [{ type: 'header', text: { type: 'plain_text' as const, text: 'news' } }]
    expect(await refusal(client.chat.postMessage({ channel: general, text: 'news', blocks }))).toBe('invalid_blocks')
    expect(await refusal(client.chat.postMessage({ channel: general, text: 'news', blocks: [{ type: 'divider' }] }))).toBe('none')
  })

  it('set a status until the next post, and react once', async () => {
    const question = slack.user('alice').post('general', 'question')
    await client.assistant.threads.setStatus({ channel_id: general, thread_ts: question.ts, status: 'is thinking…' })
    expect(slack.threadStatus(question)).toBe('is thinking…')
    await postId('done', question.ts)
    expect(slack.threadStatus(question)).toBeUndefined()
    await client.assistant.threads.setStatus({ channel_id: general, thread_ts: question.ts, status: 'is thinking…' })
    slack.clock.advance(120_000)
    expect(slack.threadStatus(question)).toBeUndefined()

    const react = () => refusal(client.reactions.add({ channel: general, timestamp: question.ts, name: 'eyes' }))
    expect([await react(), await react()]).toEqual(['none', 'already_reacted'])
    expect(slack.transcript('general')[0]?.reactions).toEqual(['eyes'])
  })

  it('stream a message until it is stopped or five minutes have passed', async () => {
    const question = slack.user('alice').post('general', 'question')
    const start = () =>
      client.chat.startStream({
        channel: general,
        thread_ts: question.ts,
        recipient_user_id: slack.user('alice').id,
        recipient_team_id: slack.teamId,
      })
    const ts = (await start()).ts ?? ''
    await client.chat.appendStream({ channel: general, ts, markdown_text: '**Hello** ' })
    expect(await refusal(client.chat.update({ channel: general, ts, text: 'edit' }))).toBe('streaming_state_conflict')
    await client.chat.stopStream({ channel: general, ts, markdown_text: 'world' })
    expect(slack.transcript('general').at(-1)).toMatchObject({ text: '**Hello** world', isStreaming: false })

    const second = (await start()).ts ?? ''
    slack.clock.advance(300_000)
    const late = client.chat.appendStream({ channel: general, ts: second, markdown_text: 'late' })
    expect(await refusal(late)).toBe('message_not_in_streaming_state')
    expect(await refusal(client.chat.update({ channel: general, ts: second, text: 'rescued' }))).toBe('none')
  })

  it('stream unchanged blocks in a thread, as many as a message may have', async () => {
    const { channel, ts: asked } = slack.user('alice').directMessage('question')
    const chunk = (...texts: readonly string[]) => ({
      type: 'blocks' as const,
      blocks: texts.map(text => ({ type: 'section', block_id: text, text: { type: 'plain_text' as const, text } })),
    })
    const argumentsOf = { channel, chunks: [chunk('one')] }
    expect(await refusal(client.apiCall('chat.startStream', argumentsOf))).toBe('invalid_arguments')
    const ts = (await client.chat.startStream({ ...argumentsOf, thread_ts: asked })).ts ?? ''
    await client.chat.appendStream({ channel, ts, chunks: [chunk('two')] })
    const { messages } = await client.conversations.replies({ channel, ts: asked })
    expect(messages?.at(-1)?.blocks?.map(block => block.block_id)).toEqual(['one', 'two'])
    const many = Array.from({ length: 49 }, (_, index) => `more ${index}`)
    expect(await refusal(client.chat.appendStream({ channel, ts, chunks: [chunk(...many)] }))).toBe('invalid_blocks')
    const odd = { channel, ts, chunks: [{ type: 'markdown_text' as const, text: '' }] }
    expect(await refusal(client.chat.appendStream(odd))).toBe('invalid_chunks')
  })
})
