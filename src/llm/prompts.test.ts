import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { stepRequests } from '../../test/support/step-requests.ts'
import { DIALECTS } from './dialect.ts'
import { ALL_CAPABILITIES } from './endpoint/capabilities.ts'
import { buildChatRequest } from './endpoint/chat-request.ts'
import { Prompts, type PromptValues } from './prompts.ts'
import { MODEL_STEPS, type ModelStep, STEP_TOKENS } from './step.ts'

const SHIPPED = fileURLToPath(new URL('../../prompts', import.meta.url))
const SUMMARIZE = 'Sum up. {{ summary }}\n<!-- user -->\nThe turns: {{turns}}\n'

const ALL_PLACEHOLDERS = [
  'tables',
  'domain',
  'now',
  'conversation',
  'question',
  'schema',
  'verified',
  'data_question',
  'attempts',
  'found_nothing',
  'too_expensive',
  'query',
  'findings',
  'results',
  'sentence',
  'problems',
  'summary',
  'turns',
  'run',
  'graph',
  'most_questions',
  'most_choices',
  'databases',
  'shown_rows',
  'bars',
  'slices',
  'calls_a_round',
  'least_minutes',
]

const RENDERED = {
  classify: '053b6a261ed38925',
  decompose: '6ffca4f28bba5b9b',
  generate: 'adff712329d7728d',
  review_empty: '6940bb58c55f0456',
  synthesize: '83f70d54aabc34ce',
  rewrite: 'b587e7b5c703a063',
  proofread: '6e1c0aeb825c5ef9',
  respond: '0cbef8b212bd8eb5',
  summarize: '7f9c39f53d3b81fd',
  lineage: '613537640910e967',
} as const satisfies Record<Exclude<ModelStep, 'plan_sources' | 'draft_pipeline' | 'subscribe'>, string>

/** The members of each step's request beside its messages. The steps without a form answer in words. */
const FORMS = {
  classify: '17033a8a73656176',
  'classify with verified questions': 'fffbc2ee84032b72',
  'classify in an investigation': '2aba259264910570',
  decompose: 'fb55f803dda83a10',
  generate: '6dfb94c507460f4f',
  'generate what costs less': 'b44359727fc5eadc',
  review_empty: '2a18de9d9d6879f3',
  synthesize: '45181eb73d643502',
  rewrite: '6887955fd279efab',
  proofread: '3226de3a96ccedd8',
  respond: '6887955fd279efab',
  summarize: '6887955fd279efab',
  lineage: 'd0cca5e4f2ce5c94',
} as const

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-prompts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function loadWith(text: string): Promise<Prompts> {
  await writeFile(join(folder, 'summarize.md'), text)
  return Prompts.load(SHIPPED, folder)
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

/** Returns a value for every placeholder of every step. */
function values(question: string): PromptValues<ModelStep> {
  const numbers = {
    most_questions: '6',
    most_sub_queries: '6',
    most_choices: '10',
    sources: 'SOURCES',
    refused: '',
    shown_rows: '50',
    bars: '3 to 20',
    slices: '2 to 6',
    calls_a_round: '8',
  }
  const fixed = { tables: 'TABLES', schema: 'SCHEMA', domain: 'DOMAIN', ...numbers }
  const changing = ['now', 'conversation', 'question', 'data_question', 'attempts', 'results', 'summary', 'turns'] as const
  return { ...fixed, ...Object.fromEntries(changing.map(name => [name, `${name}: ${question}`])) } as PromptValues<ModelStep>
}

describe('Prompts', () => {
  it.each(MODEL_STEPS)('keeps the system message of %s the same for all questions, so that it can be cached', async step => {
    const prompts = await Prompts.load(SHIPPED)
    const [first, second] = ['How many?', 'Which ones?'].map(question => prompts.render(step, values(question), 'clickhouse'))
    expect(first?.map(message => message.role)).toEqual(['system', 'user'])
    expect(first?.[0]).toEqual(second?.[0])
    expect(first?.[1]?.content).toContain('How many?')
    expect(JSON.stringify(first)).not.toMatch(/\{\{|<!-- user/)
  })

  it('has exactly one file per step and per dialect, and one that two steps share', async () => {
    const files = (await readdir(SHIPPED, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
    expect(files.map(({ name }) => name).sort()).toEqual(
      [...MODEL_STEPS, ...DIALECTS, 'figures'].map(name => `${name}.md`).sort(),
    )
  })

  // The hashes were made before there were several dialects. A change of the words of a prompt changes its hash.
  it.each(Object.entries(RENDERED))(
    'renders %s for ClickHouse as it was before there were other dialects',
    async (step, hash) => {
      const prompts = await Prompts.load(SHIPPED)
      const marks = Object.fromEntries(ALL_PLACEHOLDERS.map(name => [name, `<${name}>`])) as PromptValues<ModelStep>
      const messages = prompts.render(step as ModelStep, marks, 'clickhouse')
      expect(hashOf(messages)).toBe(hash)
    },
  )

  // The hashes were made before there were several sources.
  it('asks for the answer of each step in the form of before there were several sources', async () => {
    const forms = Object.entries(await stepRequests()).map(([name, request]) => {
      const { messages: _, ...form } = buildChatRequest(request, 'model', ALL_CAPABILITIES, STEP_TOKENS[request.step]).parameters
      return [name, hashOf(form)]
    })
    expect(Object.fromEntries(forms)).toEqual(FORMS)
  })

  it('describes the SQL of Postgres, and nothing of ClickHouse, to the steps that answer from a Postgres source', async () => {
    const prompts = await Prompts.load(SHIPPED)
    const texts = (['classify', 'decompose', 'generate', 'review_empty'] as const).map(step =>
      JSON.stringify(prompts.render(step, values('q') as never, 'postgres')),
    )
    expect(texts[2]).toContain('You write one PostgreSQL query')
    expect(texts[2]).toContain('FETCH FIRST n ROWS WITH TIES')
    for (const text of texts) expect(text).not.toMatch(/ClickHouse|argMax|toStartOf|uniqExact|SAMPLE BY|\{\{/)
  })

  it.each([
    ['lacks a part', '<!-- engine -->\nPostgres\n', /postgres\.md lacks the part "<!-- ties -->"/],
    [
      'has an unknown part',
      '$&<!-- more -->\nMore.\n',
      /postgres\.md has the unknown part "<!-- more -->"; known are engine, ties/,
    ],
    ['begins with a text', 'Postgres.\n$&', /postgres\.md must begin with a line "<!-- engine -->"/],
    ['has a placeholder', '$&{{schemas}}\n', /generate\.md has the unknown placeholder \{\{schemas\}\}/],
  ])("refuses an operator's dialect that %s", async (_, text, message) => {
    await mkdir(join(folder, 'dialects'))
    const shipped = await readFile(join(SHIPPED, 'dialects', 'postgres.md'), 'utf8')
    await writeFile(
      join(folder, 'dialects', 'postgres.md'),
      text.replace('$&', () => shipped),
    )
    await expect(Prompts.load(SHIPPED, folder)).rejects.toThrow(message)
  })

  it.each([
    ['synthesize', 'Q'],
    ['lineage', 'E'],
  ] as const)('tells %s how to write figures, with ids that begin with %s', async (step, letter) => {
    const shipped = await Prompts.load(SHIPPED)
    expect(shipped.render(step, values('q'), 'clickhouse')[0]?.content).toContain(`{table ${letter}1 1-10: `)
    await writeFile(join(folder, 'figures.md'), 'Write `{={{id}}2.C3}`.')
    const own = await Prompts.load(SHIPPED, folder)
    expect(own.render(step, values('q'), 'clickhouse')[0]?.content).toContain(`Write \`{=${letter}2.C3}\`.`)
  })

  it("replaces single files by the operator's, and keeps the others", async () => {
    const [own, shipped] = await Promise.all([loadWith(SUMMARIZE), Prompts.load(SHIPPED)])
    expect(own.render('summarize', { summary: 'S', turns: 'T' }, 'clickhouse')).toEqual([
      { role: 'system', content: 'Sum up. S' },
      { role: 'user', content: 'The turns: T' },
    ])
    expect(own.render('respond', values('q'), 'clickhouse')).toEqual(shipped.render('respond', values('q'), 'clickhouse'))
  })

  it('leaves out a section of the user message whose values are all empty', async () => {
    const sections = ['# Memory', 'Keep it.', '{{summary}}', '# Rules', 'Be brief.', '# Turns', '{{turns}}']
    const prompts = await loadWith(`Sum up.\n<!-- user -->\n${sections.join('\n\n')}`)
    const userOf = (summary: string, turns: string) => prompts.render('summarize', { summary, turns }, 'clickhouse')[1]?.content
    expect(userOf('# S', 'T')).toBe('# Memory\n\nKeep it.\n\n# S\n\n# Rules\n\nBe brief.\n\n# Turns\n\nT')
    expect(userOf('', 'T')).toBe('# Rules\n\nBe brief.\n\n# Turns\n\nT')
  })

  it.each([
    ['generate', ['attempts', 'found_nothing', 'too_expensive', 'verified']],
    ['classify', ['conversation']],
    ['decompose', ['conversation']],
    ['synthesize', ['conversation']],
    ['review_empty', ['findings']],
  ] as const)('tell %s nothing of what does not apply', async (step, names) => {
    const prompts = await Prompts.load(SHIPPED)
    const given = values('q')
    const whole = prompts.render(
      step,
      { ...given, ...Object.fromEntries(names.map(name => [name, 'VALUE'])) } as typeof given,
      'clickhouse',
    )
    const less = prompts.render(
      step,
      { ...given, ...Object.fromEntries(names.map(name => [name, ''])) } as typeof given,
      'clickhouse',
    )
    const sections = (messages: typeof whole) => messages[1]?.content.match(/^# /gm)?.length ?? 0
    expect(sections(less)).toBe(sections(whole) - names.length)
    expect(less[0]).toEqual(whole[0])
  })

  it('inserts values unchanged: placeholders, dividers, replacement patterns', async () => {
    const prompts = await loadWith(SUMMARIZE)
    const hostile = "{{turns}} $& $1 $' <!-- user --> {{schema}}"
    expect(prompts.render('summarize', { summary: hostile, turns: hostile }, 'clickhouse')).toEqual([
      { role: 'system', content: `Sum up. ${hostile}` },
      { role: 'user', content: `The turns: ${hostile}` },
    ])
  })

  it.each([
    ['a placeholder is missing', 'Sum up.\n<!-- user -->\n{{turns}}', /summarize\.md lacks the placeholder \{\{summary\}\}/],
    ['several are missing', 'Sum up.\n<!-- user -->\n', /lacks the placeholder \{\{summary\}\}, \{\{turns\}\}/],
    ['one is unknown', `${SUMMARIZE}{{schema}}`, /unknown placeholder \{\{schema\}\}; known are summary, turns/],
    ['one is misspelt', `${SUMMARIZE}{{Turns2}}`, /unknown placeholder \{\{Turns2\}\}/],
    ['there is no divider', '{{summary}} {{turns}}', /must have one line "<!-- user -->"/],
    ['there are two dividers', `${SUMMARIZE}<!-- user -->`, /must have one line "<!-- user -->"/],
  ])('refuses and names a file in which %s', async (_, text, message) => {
    await expect(loadWith(text)).rejects.toMatchObject({ name: 'ConfigurationError', message: expect.stringMatching(message) })
    await expect(loadWith(text)).rejects.toThrow(folder)
  })

  it('refuses a folder with a missing or unreadable file', async () => {
    await expect(Prompts.load(folder)).rejects.toThrow(/The prompt .*classify\.md is missing/)
    await expect(Prompts.load(SHIPPED, join(folder, 'nowhere'))).rejects.toThrow(
      /CLEW_PROMPTS_DIR is .*nowhere, which is not there or holds none of/,
    )
    await writeFile(join(folder, 'file'), '')
    await expect(Prompts.load(SHIPPED, join(folder, 'file'))).rejects.toThrow(/cannot be read/)
  })
})
