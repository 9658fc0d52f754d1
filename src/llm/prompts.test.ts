import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { Prompts, type PromptValues } from './prompts.ts'
import { MODEL_STEPS, type ModelStep } from './step.ts'

const SHIPPED = fileURLToPath(new URL('../../prompts', import.meta.url))
const SUMMARIZE = 'Sum up. {{ summary }}\n<!-- user -->\nThe turns: {{turns}}\n'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clew-prompts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function loadWith(text: string): Promise<Prompts> {
  await writeFile(join(folder, 'summarize.md'), text)
  return Prompts.load(SHIPPED, folder)
}

/** Returns a value for every placeholder of every step. */
function values(question: string): PromptValues<ModelStep> {
  const numbers = { most_questions: '6', shown_rows: '50', bars: '3 to 20', slices: '2 to 6', calls_a_round: '8' }
  const fixed = { tables: 'TABLES', schema: 'SCHEMA', domain: 'DOMAIN', ...numbers }
  const changing = ['now', 'conversation', 'question', 'data_question', 'attempts', 'results', 'summary', 'turns'] as const
  return { ...fixed, ...Object.fromEntries(changing.map(name => [name, `${name}: ${question}`])) } as PromptValues<ModelStep>
}

describe('Prompts', () => {
  it.each(MODEL_STEPS)('keeps the system message of %s the same for all questions, so that it can be cached', async step => {
    const prompts = await Prompts.load(SHIPPED)
    const [first, second] = ['How many?', 'Which ones?'].map(question => prompts.render(step, values(question)))
    expect(first?.map(message => message.role)).toEqual(['system', 'user'])
    expect(first?.[0]).toEqual(second?.[0])
    expect(first?.[1]?.content).toContain('How many?')
    expect(JSON.stringify(first)).not.toMatch(/\{\{|<!-- user/)
  })

  it('has exactly one file per step, and one that two steps share', async () => {
    expect((await readdir(SHIPPED)).sort()).toEqual([...MODEL_STEPS.map(step => `${step}.md`), 'figures.md'].sort())
  })

  it.each([
    ['synthesize', 'Q'],
    ['lineage', 'E'],
  ] as const)('tells %s how to write figures, with ids that begin with %s', async (step, letter) => {
    const shipped = await Prompts.load(SHIPPED)
    expect(shipped.render(step, values('q'))[0]?.content).toContain(`{table ${letter}1 1-10: `)
    await writeFile(join(folder, 'figures.md'), 'Write `{={{id}}2.C3}`.')
    const own = await Prompts.load(SHIPPED, folder)
    expect(own.render(step, values('q'))[0]?.content).toContain(`Write \`{=${letter}2.C3}\`.`)
  })

  it("replaces single files by the operator's, and keeps the others", async () => {
    const [own, shipped] = await Promise.all([loadWith(SUMMARIZE), Prompts.load(SHIPPED)])
    expect(own.render('summarize', { summary: 'S', turns: 'T' })).toEqual([
      { role: 'system', content: 'Sum up. S' },
      { role: 'user', content: 'The turns: T' },
    ])
    expect(own.render('respond', values('q'))).toEqual(shipped.render('respond', values('q')))
  })

  it('leaves out a section of the user message whose values are all empty', async () => {
    const sections = ['# Memory', 'Keep it.', '{{summary}}', '# Rules', 'Be brief.', '# Turns', '{{turns}}']
    const prompts = await loadWith(`Sum up.\n<!-- user -->\n${sections.join('\n\n')}`)
    const userOf = (summary: string, turns: string) => prompts.render('summarize', { summary, turns })[1]?.content
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
    const whole = prompts.render(step, { ...given, ...Object.fromEntries(names.map(name => [name, 'VALUE'])) } as typeof given)
    const less = prompts.render(step, { ...given, ...Object.fromEntries(names.map(name => [name, ''])) } as typeof given)
    const sections = (messages: typeof whole) => messages[1]?.content.match(/^# /gm)?.length ?? 0
    expect(sections(less)).toBe(sections(whole) - names.length)
    expect(less[0]).toEqual(whole[0])
  })

  it('inserts values unchanged: placeholders, dividers, replacement patterns', async () => {
    const prompts = await loadWith(SUMMARIZE)
    const hostile = "{{turns}} $& $1 $' <!-- user --> {{schema}}"
    expect(prompts.render('summarize', { summary: hostile, turns: hostile })).toEqual([
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
