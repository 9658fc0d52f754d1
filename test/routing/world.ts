import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SourceCard } from '../../src/sources/source.ts'

const FOLDER = new URL('../cases/routing/', import.meta.url)
const worldSchema = z.array(z.object({ id: z.string(), description: z.string(), tables: z.array(z.string()) }))

/** The sources that all answers of a question need. */
export interface RoutingQuestion {
  readonly question: string
  readonly sources: readonly string[]
  /** Whether the question was used to tune the resolver. An `unseen` question must not be used for that. */
  readonly half: 'seen' | 'unseen'
}

/** Twelve sources, among them two for customers and three with a table `orders`. */
export function routingWorld(): readonly SourceCard[] {
  return worldSchema.parse(JSON.parse(readFileSync(new URL('sources.json', FOLDER), 'utf8')))
}

/** @param file `questions.txt` (one source each) or `cross-source.txt` (two sources each) */
export function routingQuestions(file: 'questions.txt' | 'cross-source.txt'): readonly RoutingQuestion[] {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8').split('\n')
  return lines
    .filter(line => line !== '' && !line.startsWith('#'))
    .map((line, index) => {
      const [sources = '', question = ''] = line.split(' | ')
      return { question, sources: sources.split(', '), half: index % 2 === 0 ? 'seen' : 'unseen' }
    })
}

const FIELDS =
  'bakery aquarium museum orchestra vineyard quarry harbour library cinema glacier observatory zoo brewery stadium nursery sawmill circus tannery ferry lighthouse'.split(
    ' ',
  )
const THINGS =
  'recipe tank exhibit concert grape stone berth book screening sample telescope animal barrel match seedling log performance hide crossing beacon oven feeding painting rehearsal bottle blast crane loan seat core'.split(
    ' ',
  )
const FACETS = 'events plans costs notes status history measurements types owners months totals times'.split(' ')
const SHARED = 'orders customers devices products invoices sessions employees vehicles payments machines'.split(' ')

/** Generates sources of other fields. One in ten has a table that is named like one of the twelve sources. */
export function otherSources(count: number): readonly SourceCard[] {
  const random = randomNumbers(7)
  const pick = (words: readonly string[]) => words[Math.floor(random() * words.length)] ?? ''
  return Array.from({ length: count }, (_, index) => {
    const field = pick(FIELDS)
    const things = [pick(THINGS), pick(THINGS), pick(THINGS)]
    const own = things.flatMap(thing => [`${field}.${thing}_${pick(FACETS)}`, `${field}.${thing}_${pick(FACETS)}`])
    const shared = random() < 0.1 ? [`${field}.${pick(SHARED)}`] : []
    const description = `The ${field} in region ${index}: ${things.map(thing => `${thing}s`).join(', ')}`
    return { id: `${field}_${index}`, description, tables: [...own, ...shared] }
  })
}

function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
