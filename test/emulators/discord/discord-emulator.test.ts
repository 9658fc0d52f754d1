import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type Client, type Interaction, type Message, MessageFlags, REST, Routes } from 'discord.js'
import { connectDiscordClient } from './discord-client.ts'
import { type DiscordEmulator, startDiscordEmulator } from './discord-emulator.ts'

/** These tests use the real discord.js, to send requests and to receive events. */
describe('discord.js on the emulator', () => {
  let discord: DiscordEmulator
  let client: Client<true>
  let messages: Message[]
  let interactions: Interaction[]

  beforeEach(async () => {
    discord = await startDiscordEmulator({ rateLimits: 'relaxed' })
    client = await connectDiscordClient(discord)
    messages = []
    interactions = []
    client.on('messageCreate', message => messages.push(message))
    client.on('interactionCreate', interaction => interactions.push(interaction))
  })
  afterEach(async () => {
    await client.destroy()
    await discord.close()
  })

  it('is ready with the server and the channels that the bot sees', () => {
    expect(client.user.id).toBe(discord.botUserId)
    expect(client.application.id).toBe(discord.appId)
    const channels = client.guilds.cache.get(discord.guild.id)?.channels.cache.map(channel => channel.name)
    expect(channels).toEqual(['general', 'secret'])
  })

  it('receives a mention and posts an answer', async () => {
    const said = discord.user('alice').post('general', `${discord.botMention} how many users?`)
    await discord.heard()
    expect(messages.map(message => [message.id, message.content, message.mentions.users.has(client.user.id)])).toEqual([
      [said.id, `${discord.botMention} how many users?`, true],
    ])
    expect(said.deliveries).toMatchObject([{ event: 'MESSAGE_CREATE', isAcknowledged: true }])

    const answer = await messages[0]?.reply({ content: '**Five** of them', allowedMentions: { parse: [], repliedUser: false } })
    await answer?.edit({ content: '**Six** of them', allowedMentions: { parse: [], repliedUser: false } })
    expect(discord.transcript('general')).toMatchObject([
      { id: said.id, author: 'alice', isFromBot: false },
      {
        id: answer?.id,
        author: 'clew',
        isFromBot: true,
        plain: 'Six of them',
        pings: [],
        repliesTo: said.id,
        isEdited: true,
        history: [{ plain: 'Five of them' }, { plain: 'Six of them' }],
      },
    ])
  })

  it('opens a thread from a message and talks in it', async () => {
    const said = discord.user('alice').post('general', `${discord.botMention} hi`)
    await discord.heard()
    const thread = await messages[0]?.startThread({ name: 'hi' })
    expect(thread?.id).toBe(said.id)
    await thread?.send('Here')
    discord.user('bob').post(thread?.id ?? '', 'And here')
    await discord.heard()
    expect(messages.at(-1)).toMatchObject({ content: 'And here', channelId: said.id })
    expect(discord.transcript(said.id, { as: 'bob' }).map(message => message.plain)).toEqual(['Here', 'And here'])
    expect(discord.transcript('general')[0]).toMatchObject({ threadId: said.id })
  })

  it('answers a slash command with an ephemeral message, which only its user sees', async () => {
    const rest = new REST({ api: discord.apiUrl }).setToken(discord.botToken)
    const option = { name: 'question', description: 'What to find out', type: 3, required: true }
    await rest.put(Routes.applicationCommands(discord.appId), {
      body: [{ name: 'ask', description: 'Asks', options: [option] }],
    })
    const used = discord.user('alice').command('general', 'ask', { question: 'how many?' })
    await discord.heard()
    const [interaction] = interactions
    if (!interaction?.isChatInputCommand()) throw new Error('no command came')
    expect(interaction.options.getString('question')).toBe('how many?')
    await interaction.deferReply({ flags: MessageFlags.Ephemeral })
    expect(discord.transcript('general', { as: 'alice' })).toMatchObject([{ isLoading: true, isEphemeral: true }])
    await interaction.editReply({
      embeds: [{ title: 'Five', description: 'of them' }],
      components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Why', custom_id: 'why' }] }],
    })
    await interaction.followUp('For everyone')
    expect(discord.transcript('general', { as: 'alice' })).toMatchObject([
      { isLoading: false, isEphemeral: true, plain: 'Five\nof them', isRich: true, buttons: [{ label: 'Why', customId: 'why' }] },
      { plain: 'For everyone', isEphemeral: false },
    ])
    expect(discord.transcript('general', { as: 'bob' }).map(message => message.plain)).toEqual(['For everyone'])
    expect(discord.interactionState(used)).toBe('acknowledged')
  })

  it('opens a modal on a press and receives its text', async () => {
    const channel = await client.channels.fetch(discord.channel('general').id)
    if (!channel?.isSendable()) throw new Error('no text channel')
    const posted = await channel.send({
      content: 'Was this helpful?',
      components: [{ type: 1, components: [{ type: 2, style: 2, label: 'No', custom_id: 'unhelpful' }] }],
    })
    const alice = discord.user('alice')
    const pressed = alice.press({ id: posted.id, channelId: posted.channelId }, { label: 'No' })
    await discord.heard()
    const press = interactions.at(-1)
    if (!press?.isButton()) throw new Error('no press came')
    expect(press.message.id).toBe(posted.id)
    const input = { type: 4, custom_id: 'why', label: 'Why?', style: 2 } as const
    await press.showModal({ custom_id: 'reason', title: 'What was wrong?', components: [{ type: 1, components: [input] }] })
    alice.submitModal(pressed, { why: 'it is wrong' })
    await discord.heard()
    const submitted = interactions.at(-1)
    if (!submitted?.isModalSubmit()) throw new Error('no modal came')
    expect(submitted.fields.getTextInputValue('why')).toBe('it is wrong')
    if (submitted.isFromMessage()) await submitted.update({ content: 'Thank you', components: [] })
    expect(discord.transcript('general')).toMatchObject([{ id: posted.id, plain: 'Thank you', buttons: [] }])
  })

  it('talks in a direct conversation', async () => {
    discord.user('bob').directMessage('psst')
    await discord.heard()
    expect(messages.at(-1)).toMatchObject({ content: 'psst', guildId: null })
    const user = await client.users.fetch(discord.user('bob').id)
    await user.send({ content: 'yes?', files: [{ attachment: Buffer.from('a,b'), name: 'rows.csv' }] })
    expect(discord.directTranscript('bob')).toMatchObject([
      { plain: 'psst' },
      { plain: 'yes?', files: [{ name: 'rows.csv', content: Buffer.from('a,b') }] },
    ])
  })
})
