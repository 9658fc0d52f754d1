import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ConfigurationError, errorCode } from '../base/errors.ts'
import { DIALECTS, type Dialect, type DialectParts, inDialect, readDialect } from './dialect.ts'
import type { ModelMessage } from './language-model.ts'
import { MODEL_STEPS, type ModelStep } from './step.ts'

/** The placeholders that each prompt file must contain. Besides them, only those of `NUMBERS` are allowed. */
const PLACEHOLDERS = {
  classify: ['tables', 'domain', 'now', 'conversation', 'question'],
  decompose: ['schema', 'domain', 'now', 'conversation', 'question'],
  plan_sources: ['sources', 'domain', 'now', 'conversation', 'question', 'refused'],
  generate: ['schema', 'domain', 'verified', 'now', 'question', 'data_question', 'attempts', 'found_nothing', 'too_expensive'],
  review_empty: ['schema', 'domain', 'now', 'question', 'query', 'findings'],
  synthesize: ['domain', 'now', 'conversation', 'question', 'results'],
  rewrite: ['results', 'sentence', 'problems'],
  proofread: ['question', 'results', 'answer', 'figures'],
  respond: ['tables', 'domain', 'now', 'conversation', 'question'],
  summarize: ['summary', 'turns'],
  lineage: ['now', 'conversation', 'run', 'graph', 'question'],
  draft_pipeline: ['schema', 'domain', 'now', 'conversation', 'draft', 'question', 'attempts'],
  subscribe: ['now', 'conversation', 'question'],
} as const satisfies Record<ModelStep, readonly string[]>

/** Placeholders that a prompt file may leave out: limits that the code enforces anyway, and facts that few questions need. */
const NUMBERS = {
  classify: [],
  decompose: ['most_questions', 'most_choices', 'databases'],
  plan_sources: ['most_sub_queries', 'most_choices'],
  generate: ['shown_rows', 'bars', 'slices'],
  review_empty: [],
  synthesize: [],
  rewrite: [],
  proofread: [],
  respond: [],
  summarize: [],
  lineage: ['calls_a_round'],
  draft_pipeline: ['most_choices', 'databases', 'example'],
  subscribe: ['least_minutes'],
} as const satisfies Record<ModelStep, readonly string[]>

/**
 * This file tells the model how to write figures in an answer. Several prompts include it, each with the letter of the ids that
 * it cites, such as Q in `[Q1]`.
 */
const FIGURES = 'figures.md'
const FIGURES_HERE = /\{\{\s*figures\s*\}\}/g
const ID_LETTERS: ReadonlyMap<ModelStep, string> = new Map([
  ['synthesize', 'Q'],
  ['lineage', 'E'],
])

/**
 * A placeholder's value. A value that depends on the question has two parts, so that the system message stays constant and a
 * provider can cache it. The system message has the constant text `here` in place of the value. The user message begins with the
 * value itself, `later`.
 */
export type PromptValue = string | { readonly here: string; readonly later: string }
export type PromptValues<Step extends ModelStep> = Readonly<
  Record<(typeof PLACEHOLDERS)[Step][number] | (typeof NUMBERS)[Step][number], PromptValue>
>

/**
 * The line between the system message and the user message in a prompt file. The system message is the same for all questions.
 */
const DIVIDER = '<!-- user -->'
const PLACEHOLDER = /\{\{\s*([a-z_]+)\s*\}\}/g
/** Matches the position before a Markdown heading, to split a text into sections. */
const SECTION = /^(?=#{1,6} )/m

/** A text that was split at its placeholders. Constant texts and placeholder names alternate. */
type Text = readonly string[]

/** A parsed prompt file. The user message is a list of sections, each with its heading. */
interface Template {
  readonly system: Text
  readonly user: readonly Text[]
}

type Templates = ReadonlyMap<ModelStep, Template>

/** The prompts of all steps, in each SQL dialect. Each step and each dialect has a Markdown file of its own. */
export class Prompts {
  readonly #templates: ReadonlyMap<string, Templates>

  private constructor(templates: ReadonlyMap<string, Templates>) {
    this.#templates = templates
  }

  /**
   * Loads and checks all prompts. A file in the operator's folder replaces Clew's file of the same name.
   * @param directory the folder of prompts shipped with Clew
   * @param override the operator's folder (CLEW_PROMPTS_DIR)
   * @throws ConfigurationError that names the file, and the missing or unknown placeholder
   */
  static async load(directory: string, override?: string): Promise<Prompts> {
    let replaced = 0
    const read = async (name: string) => {
      const own = override === undefined ? undefined : await readIfPresent(join(override, name))
      if (own !== undefined) replaced++
      const path = join(own === undefined ? directory : (override ?? ''), name)
      const text = own ?? (await readIfPresent(path))
      if (text === undefined) throw new ConfigurationError(`The prompt ${path} is missing.`)
      return { path, text }
    }
    const steps = new Map<ModelStep, { readonly path: string; readonly text: string }>()
    for (const step of MODEL_STEPS) {
      const { path, text } = await read(`${step}.md`)
      const letter = ID_LETTERS.get(step)
      const figures = letter === undefined ? '' : (await read(FIGURES)).text.trim().replaceAll('{{id}}', letter)
      steps.set(step, { path, text: letter === undefined ? text : text.replace(FIGURES_HERE, () => figures) })
    }
    const dialects = new Map<Dialect, DialectParts>()
    for (const dialect of DIALECTS) {
      const { path, text } = await read(dialectFile(dialect))
      dialects.set(dialect, readDialect(path, text))
    }
    if (override !== undefined && replaced === 0) {
      throw new ConfigurationError(
        `CLEW_PROMPTS_DIR is ${resolve(override)}, which is not there or holds none of ${[...MODEL_STEPS.map(step => `${step}.md`), FIGURES, ...DIALECTS.map(dialectFile)].join(', ')}.`,
      )
    }
    const templatesIn = (parts: DialectParts): Templates =>
      new Map([...steps].map(([step, file]) => [step, templateOf(step, file.path, inDialect(file.text, parts))]))
    return new Prompts(new Map(mixtures(dialects).map(([mixture, parts]) => [mixture, templatesIn(parts)])))
  }

  /**
   * Returns the messages of a step. Values are inserted once and unchanged, so a placeholder inside a value stays text. If all
   * values of a section of the user message are empty, the whole section is left out.
   * @param dialects the SQL dialect of the data source, or those of several. Over several, a prompt says nothing of their SQL.
   */
  render<Step extends ModelStep>(step: Step, values: PromptValues<Step>, ...dialects: readonly Dialect[]): ModelMessage[] {
    const filled = new Map(Object.entries<PromptValue>(values))
    const later = [...filled.values()].flatMap(value => (typeof value === 'string' ? [] : [value.later]))
    const textOf = (value: PromptValue = '') => (typeof value === 'string' ? value : value.here)
    const { system = [], user = [] } = this.#templates.get(mixtureOf(dialects))?.get(step) ?? {}
    const valuesOf = (text: Text) => text.filter((_, at) => at % 2 === 1).map(name => textOf(filled.get(name)))
    const applies = (section: Text) => section.length === 1 || valuesOf(section).some(value => value !== '')
    const fill = (text: Text) =>
      text
        .map((part, at) => (at % 2 === 0 ? part : textOf(filled.get(part))))
        .join('')
        .trim()
    return [
      { role: 'system', content: fill(system) },
      { role: 'user', content: [...later, ...user.filter(applies).map(fill)].join('\n\n') },
    ]
  }
}

/** Returns each dialect, and all together, which share nothing but the names of their engines. */
function mixtures(dialects: ReadonlyMap<Dialect, DialectParts>): readonly (readonly [mixture: string, parts: DialectParts])[] {
  const engines = [...dialects.values()].map(parts => parts.get('engine')).join(' and ')
  return [...dialects, [mixtureOf([...dialects.keys()]), new Map([['engine', engines]])]]
}

function mixtureOf(dialects: readonly Dialect[]): string {
  return DIALECTS.filter(dialect => dialects.includes(dialect)).join(' ')
}

function dialectFile(dialect: Dialect): string {
  return `dialects/${dialect}.md`
}

/** @throws ConfigurationError if a placeholder is missing or unknown */
function templateOf(step: ModelStep, path: string, text: string): Template {
  check(path, text, PLACEHOLDERS[step], NUMBERS[step])
  const [system = '', user = ''] = text.split(DIVIDER)
  const sections = user
    .trim()
    .split(SECTION)
    .map(section => section.split(PLACEHOLDER))
  return { system: system.split(PLACEHOLDER), user: sections }
}

function check(path: string, text: string, expected: readonly string[], numbers: readonly string[]): void {
  if (text.split(DIVIDER).length !== 2) {
    throw new ConfigurationError(
      `The prompt ${path} must have one line "${DIVIDER}" between its fixed part and the part that changes.`,
    )
  }
  const present = new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(match => match[1] ?? ''))
  const missing = expected.filter(name => !present.has(name))
  const known = [...expected, ...numbers]
  const unknown = [...present].filter(name => !known.includes(name))
  if (missing.length > 0) throw new ConfigurationError(`The prompt ${path} lacks the placeholder {{${missing.join('}}, {{')}}}.`)
  if (unknown.length > 0) {
    throw new ConfigurationError(
      `The prompt ${path} has the unknown placeholder {{${unknown.join('}}, {{')}}}; known are ${known.join(', ')}.`,
    )
  }
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw new ConfigurationError(`The prompt ${path} cannot be read.`, { cause: error })
  }
}
