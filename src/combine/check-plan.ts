import { columnsOfNode } from './compile.ts'
import { inIdOrder, nodeId } from './ids.ts'
import { COMBINE_LIMITS } from './limits.ts'
import type { Combine, NodeId, Plan, PlanDraft, PlanNode, Stage, SubQuery } from './plan.ts'
import { orRefusal, PlanRefusal, refuse } from './refusal.ts'
import { distinct, typeIn } from './relation.ts'

/**
 * Checks a draft: its size, its names, its inputs, its columns and their types. A refusal is one sentence, which names the part and
 * can go back to the model.
 * @param context.sources the ids of the sources that the plan may ask
 */
export function checkPlan(
  draft: PlanDraft,
  { sources }: { readonly sources: readonly string[] },
): { readonly plan: Plan } | { readonly refused: string } {
  const checked = orRefusal(() => {
    checkSize(draft)
    const parts = partsByKey(draft)
    const stranger = draft.sub_queries.find(({ source }) => !sources.includes(source))
    if (stranger !== undefined) {
      const known = sources.map(each => `"${each}"`).join(', ')
      refuse(`"${stranger.key}" asks the source "${stranger.source}", but there are only ${known}.`)
    }
    return buildPlan(parts)
  })
  return checked instanceof PlanRefusal ? { refused: checked.message } : { plan: checked }
}

function checkSize({ sub_queries, combines, posts }: PlanDraft): void {
  const { plan } = COMBINE_LIMITS
  const counts = [
    ['sub-queries', sub_queries.length, plan.subQueries],
    ['combines', combines.length, plan.combines],
    ['posts', posts.length, plan.posts],
    ['nodes', sub_queries.length + combines.length + posts.length, plan.nodes],
  ] as const
  for (const [what, count, most] of counts) {
    if (count > most) refuse(`The plan has ${count} ${what}, but at most ${most} are possible.`)
  }
  if (sub_queries.length === 0) refuse('The plan has no sub-query.')
}

function partsByKey({ sub_queries, combines, posts }: PlanDraft): ReadonlyMap<string, Stage> {
  const parts: readonly Stage[] = [
    ...sub_queries.map(definition => ({ stage: 'scan', definition }) as const),
    ...combines.map(definition => ({ stage: 'combine', definition }) as const),
    ...posts.map(definition => ({ stage: 'post', definition }) as const),
  ]
  const byKey = new Map(parts.map(part => [part.definition.key, part]))
  const twice = parts.find(part => byKey.get(part.definition.key) !== part)
  if (twice !== undefined) refuse(`The plan has the key "${twice.definition.key}" twice; give each part a key of its own.`)
  return byKey
}

/** Builds each node after its inputs, because ids and columns follow from theirs. */
function buildPlan(parts: ReadonlyMap<string, Stage>): Plan {
  const idOfKey = new Map<string, NodeId>()
  const nodes = new Map<NodeId, PlanNode>()
  const columnsOf = (id: NodeId) => nodes.get(id)?.columns ?? []
  /** @param path the keys that need this one, from the first */
  const add = (key: string, path: readonly string[]): NodeId => {
    const known = idOfKey.get(key)
    if (known !== undefined) return known
    const part = parts.get(key) ?? refuse(`"${path.at(-1)}" takes "${key}", but the plan has no such part.`)
    if (path.includes(key)) {
      refuse(`The plan has a cycle: ${[...path.slice(path.indexOf(key)), key].map(each => `"${each}"`).join(' takes ')}.`)
    }
    const node = nodeFor(part, input => add(input, [...path, key]))
    idOfKey.set(key, node.id)
    if (!nodes.has(node.id)) nodes.set(node.id, node)
    return node.id
  }
  const nodeFor = (part: Stage, addInput: (key: string) => NodeId): PlanNode => {
    if (part.stage === 'scan') {
      const definition = restricted(part.definition, addInput)
      return { ...part, id: nodeId(part.stage, definition), inputs: [], columns: definition.columns, definition }
    }
    const inputs = new Set<NodeId>()
    const input = (key: string) => {
      const id = addInput(key)
      inputs.add(id)
      return id
    }
    const node =
      part.stage === 'combine'
        ? { stage: part.stage, definition: withIds(part.definition, input) }
        : { stage: part.stage, definition: { ...part.definition, input: input(part.definition.input) } }
    return { ...node, id: nodeId(node.stage, node.definition), inputs: [...inputs], columns: columnsOfNode(node, columnsOf) }
  }
  /** Returns a sub-query that names the one whose keys restrict it by its id. */
  const restricted = (subQuery: SubQuery, addInput: (key: string) => NodeId): SubQuery => {
    const { key, restrict } = subQuery
    const columns = distinct(key, subQuery.columns)
    if (restrict === null) return subQuery
    if (parts.get(restrict.from)?.stage !== 'scan') {
      refuse(`"${key}" is restricted by "${restrict.from}", which is no sub-query of the plan.`)
    }
    const from = addInput(restrict.from)
    const types = [typeIn(key, columnsOf(from), restrict.key), typeIn(key, columns, restrict.column)]
    if (types.includes('float')) {
      refuse(`"${key}" is restricted by floating-point numbers, which seldom are equal; use another key.`)
    }
    return { ...subQuery, restrict: { ...restrict, from } }
  }
  // The ids come in the order of the draft. A restricted scan was built after the one that restricts it.
  const inDraftOrder = new Set([...parts.keys()].map(key => add(key, [])))
  const scans = [...inDraftOrder].flatMap(id => nodes.get(id) ?? []).filter(node => node.stage === 'scan')
  const others = [...nodes.values()].filter(node => node.stage !== 'scan')
  const taken = new Set(others.flatMap(({ inputs }) => inputs))
  return { nodes: [...scans, ...others], terminals: others.map(({ id }) => id).filter(id => !taken.has(id)), idOfKey }
}

/** Returns a combine that names its inputs by their ids. */
function withIds(combine: Combine, add: (key: string) => NodeId): Combine {
  if (combine.kind === 'standalone') return { ...combine, input: add(combine.input) }
  if (combine.kind !== 'union') return { ...combine, left: add(combine.left), right: add(combine.right) }
  return { ...combine, inputs: inIdOrder(combine.inputs.map(({ input, label }) => ({ input: add(input), label }))) }
}
