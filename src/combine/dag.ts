import type { NodeId, Plan, PlanNode } from './plan.ts'

/** Nodes that can run at the same time. Its name is `scan`, `combine` or `post`, and `_2` and so on from the second one. */
export interface PlanLayer {
  readonly name: string
  readonly nodes: readonly NodeId[]
}

const STAGES = ['scan', 'combine', 'post'] as const

/**
 * Returns the layers of a plan, each after all that its nodes need. Scans come first. The same content gives the same layers,
 * whatever the order of the draft.
 */
export function layersOf({ nodes }: Plan): readonly PlanLayer[] {
  const layers: PlanLayer[] = []
  const done = new Set<NodeId>()
  const counts = new Map<string, number>()
  for (;;) {
    const ready = nodes.filter(node => !done.has(node.id) && needs(node).every(id => done.has(id)))
    const stage = STAGES.find(each => ready.some(node => node.stage === each))
    if (stage === undefined) return layers
    const layer = ready.filter(node => node.stage === stage).map(({ id }) => id)
    for (const id of layer) done.add(id)
    const count = (counts.get(stage) ?? 0) + 1
    counts.set(stage, count)
    layers.push({ name: count === 1 ? stage : `${stage}_${count}`, nodes: layer.sort() })
  }
}

function needs(node: PlanNode): readonly NodeId[] {
  return node.stage === 'scan' && node.restrictFrom !== undefined ? [node.restrictFrom] : node.inputs
}

/** Returns the nodes that a node's result needs, itself among them, in the order of the plan. */
export function ancestorsOf({ nodes }: Pick<Plan, 'nodes'>, id: NodeId): readonly PlanNode[] {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const needed = new Set<NodeId>()
  const visit = (each: NodeId) => {
    if (needed.has(each)) return
    needed.add(each)
    for (const input of byId.get(each)?.inputs ?? []) visit(input)
  }
  visit(id)
  return nodes.filter(node => needed.has(node.id))
}
