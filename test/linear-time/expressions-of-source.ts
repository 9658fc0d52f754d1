import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Expression, parseSync } from '@swc/core'

/** A regular expression that the program contains. */
export interface FoundExpression {
  readonly source: string
  readonly flags: string
  readonly file: string
}

const WRITTEN_ELSEWHERE = /\.(?:test|contract)\.ts$/

/**
 * Returns every regular expression of `src`: literals, those that are made while loading, and later ones, with a letter for each variable part.
 */
export async function expressionsOfSource(): Promise<readonly FoundExpression[]> {
  const found: FoundExpression[] = []
  const making: string[] = []
  const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
  for (const name of names.filter(each => each.endsWith('.ts') && !WRITTEN_ELSEWHERE.test(each))) {
    const file = join('src', name)
    const program = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript', target: 'es2022' })
    const expressions = expressionsIn(program.body)
    found.push(...expressions.map(expression => ({ ...expression, file })))
    if (expressions.some(({ isMade }) => isMade)) making.push(file)
  }
  return [...found, ...(await madeWhileLoading(making))]
}

function* expressionsAt(node: Partial<Expression>): Generator<{ source: string; flags: string; isMade: boolean }> {
  if (node.type === 'RegExpLiteral') {
    const { pattern, flags } = node as { pattern: string; flags: string }
    yield { source: pattern, flags, isMade: false }
  }
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return
  const call = node as { callee: { value?: string }; arguments?: readonly { expression: Expression }[] }
  if (call.callee.value !== 'RegExp') return
  const [source, flags] = (call.arguments ?? []).map(({ expression }) => constantPart(expression))
  yield { source: source ?? '', flags: flags ?? '', isMade: true }
}

function expressionsIn(node: unknown): { source: string; flags: string; isMade: boolean }[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(expressionsIn)
  return [...expressionsAt(node), ...Object.values(node).flatMap(expressionsIn)]
}

function constantPart(expression: Expression): string {
  if (expression.type === 'StringLiteral') return expression.value
  if (expression.type === 'TaggedTemplateExpression') return expression.template.quasis.map(({ raw }) => raw).join('x')
  if (expression.type === 'TemplateLiteral') return expression.quasis.map(({ cooked }) => cooked ?? '').join('x')
  return ''
}

/** Loads the files while `RegExp` is replaced with a class that records every new expression. */
async function madeWhileLoading(files: readonly string[]): Promise<readonly FoundExpression[]> {
  const made: FoundExpression[] = []
  const { RegExp: original } = globalThis
  let file = ''
  globalThis.RegExp = new Proxy(original, {
    construct(target, given: [string, string?]) {
      const expression = new target(...given)
      made.push({ source: expression.source, flags: expression.flags, file })
      return expression
    },
  })
  try {
    for (file of files) await import(pathToFileURL(resolve(file)).href)
  } finally {
    globalThis.RegExp = original
  }
  return made
}
