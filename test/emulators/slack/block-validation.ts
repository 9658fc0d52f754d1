import { z } from 'zod'
import { ApiRefusal } from './api-refusal.ts'
import { blockSchema } from './block-schemas.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import type { Block } from './slack-model.ts'
import { viewBlockSchema } from './view-schemas.ts'

interface Problem {
  readonly message: string
  readonly path: readonly PropertyKey[]
}

const blocksShape = z.array(z.record(z.string(), z.unknown()))

/**
 * Returns the blocks of a message or view as Slack stores them. Adds missing ids, as Slack does.
 * @throws ApiRefusal `invalid_blocks_format` unless the value is an array of objects; `msg_blocks_too_long`; or `invalid_blocks` with each
 * mistake and its place, as in github.com/grafana-cold-storage/oncall/pull/5121
 */
export function parseBlocks(value: unknown, newId: () => string, surface: 'message' | 'view' = 'message'): readonly Block[] {
  const shape = blocksShape.safeParse(value)
  if (!shape.success) throw new ApiRefusal('invalid_blocks_format')
  const schema = surface === 'view' ? viewBlockSchema : blockSchema
  const most = surface === 'view' ? SLACK_LIMITS.viewBlocks : SLACK_LIMITS.blocks
  const problems = [
    ...shape.data.flatMap((block, index) => blockProblems(schema, block, index)),
    ...sharedProblems(shape.data, most),
  ]
  if (problems.length > 0) throw invalidBlocks(problems)
  if (surface === 'message' && shape.data.reduce((sum, block) => sum + textLength(block), 0) > SLACK_LIMITS.allBlockText) {
    throw new ApiRefusal('msg_blocks_too_long')
  }
  return shape.data.map(block => withIds(block, newId))
}

function invalidBlocks(problems: readonly Problem[]): ApiRefusal {
  const errors = problems.map(problem => `${problem.message} [json-pointer:/blocks/${problem.path.map(String).join('/')}]`)
  return new ApiRefusal('invalid_blocks', {
    errors,
    response_metadata: { messages: errors.map(error => `[ERROR] ${error}`) },
  })
}

function blockProblems(schema: z.ZodType, block: Block, index: number): readonly Problem[] {
  const parsed = schema.safeParse(block)
  if (parsed.success) return []
  return parsed.error.issues.flatMap(issue => problemsOf(issue, [index]))
}

function problemsOf(issue: z.core.$ZodIssue, prefix: readonly PropertyKey[]): readonly Problem[] {
  const path = [...prefix, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(key => ({ message: `invalid additional property: ${key}`, path }))
  }
  if (issue.code === 'invalid_type' && issue.input === undefined) {
    return [{ message: `missing required field: ${String(path.at(-1))}`, path: path.slice(0, -1) }]
  }
  return [{ message: describe(issue), path }]
}

/** Describes a mistake in Slack's own words, as far as they are known. The text is for people. The pointer names the place. */
function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big' && issue.origin === 'string') return `must be less than ${Number(issue.maximum) + 1} characters`
  if (issue.code === 'too_small' && issue.origin === 'string') return `must be more than ${Number(issue.minimum) - 1} characters`
  if (issue.code === 'too_big' && issue.origin === 'array') return `no more than ${issue.maximum} items allowed`
  if (issue.code === 'too_small' && issue.origin === 'array') return `no less than ${issue.minimum} items allowed`
  if (issue.code === 'invalid_union') return 'unsupported type'
  return issue.message
}

/** Returns mistakes that concern all blocks of a message or view together, such as too many blocks. */
function sharedProblems(blocks: readonly Block[], mostBlocks: number): readonly Problem[] {
  const problems: Problem[] = []
  if (blocks.length > mostBlocks) problems.push({ message: `no more than ${mostBlocks} items allowed`, path: [] })
  const ids = blocks.map(block => block.block_id).filter(id => id !== undefined)
  const double = ids.find((id, index) => ids.indexOf(id) !== index)
  if (double !== undefined) problems.push({ message: `\`block_id\` already exists: ${String(double)}`, path: [] })
  const markdown = blocks.filter(block => block.type === 'markdown').reduce((sum, block) => sum + textLength(block), 0)
  if (markdown > SLACK_LIMITS.markdownBlocks) {
    problems.push({ message: `markdown blocks must be less than ${SLACK_LIMITS.markdownBlocks + 1} characters in all`, path: [] })
  }
  for (const [type, most] of [
    ['table', SLACK_LIMITS.tablesOfOneKind],
    ['data_table', SLACK_LIMITS.tablesOfOneKind],
    ['data_visualization', SLACK_LIMITS.charts],
  ] as const) {
    const found = blocks.filter(block => block.type === type)
    if (found.length > most) problems.push({ message: `no more than ${most} ${type} blocks allowed`, path: [] })
    if (type === 'data_visualization') continue
    if (found.reduce((sum, block) => sum + textLength(block.rows), 0) > SLACK_LIMITS.tableCharacters) {
      problems.push({
        message: `cells of a ${type} must be less than ${SLACK_LIMITS.tableCharacters + 1} characters in all`,
        path: [],
      })
    }
  }
  return problems
}

/** Adds up the visible characters of a block: all values called `text`, at any depth. */
function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, entry) => sum + textLength(entry), 0)
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce(
    (sum, [key, entry]) => sum + (key === 'text' && typeof entry === 'string' ? entry.length : textLength(entry)),
    0,
  )
}

/** Gives an id to each block and interactive element that has none, as Slack does. */
function withIds(block: Block, newId: () => string): Block {
  const named: Block = { ...block, block_id: block.block_id ?? newId() }
  const elements = named.elements
  const { accessory, element } = named
  return {
    ...named,
    ...(typeof element === 'object' && element !== null ? { element: { action_id: newId(), ...element } } : {}),
    ...(isInteractiveBlock(named) && Array.isArray(elements)
      ? { elements: elements.map(element => ({ action_id: newId(), ...element })) }
      : {}),
    ...(typeof accessory === 'object' && accessory !== null && 'type' in accessory && accessory.type !== 'image'
      ? { accessory: { action_id: newId(), ...accessory } }
      : {}),
  }
}

function isInteractiveBlock(block: Block): boolean {
  return block.type === 'actions' || block.type === 'context_actions'
}
