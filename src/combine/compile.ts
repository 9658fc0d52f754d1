import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import { compileCombine } from './compile-combine.ts'
import { compilePost } from './compile-steps.ts'
import { ancestorsOf, type NodeId, type Plan, type Stage } from './plan.ts'
import {
  BoundValues,
  type Columns,
  type CompileContext,
  type MatchReport,
  orderSql,
  plainRelation,
  type Relation,
} from './relation.ts'

export type CompiledStatement = ReturnType<ReturnType<typeof compileRelations>['statement']>

export interface CompileInput {
  readonly plan: Pick<Plan, 'nodes'>
  /** The columns of each scan, for the types that its result really has. */
  readonly columnsOf: (id: NodeId) => Columns
  /** The scale of all decimals. */
  readonly scale: number
  /** How the sides of joins and compares meet. With it, sums are refused in which rows would count several times. */
  readonly reports?: ReadonlyMap<NodeId, MatchReport>
}

/**
 * Compiles a node's result to one SELECT, with a CTE for each node that it needs and for each step of a post. The rows of a scan are in
 * the table of its id. Reads one row more than `maxRows`, which shows that there are more.
 * @throws PlanRefusal for a sum over repeated rows
 */
export function compileResult(input: CompileInput, id: NodeId, maxRows: number): CompiledStatement {
  const relations = compileRelations(input, id)
  const result = relations.of(id)
  const names = result.columns.map(({ name }) => `t.${quoteIdentifier(name)}`).join(', ')
  return relations.statement(`SELECT ${names}\nFROM ${result.sql} AS t\n${orderSql(result)}\nLIMIT ${maxRows + 1}`)
}

/** Compiles a node and all that it needs to CTEs. */
export function compileRelations({ plan, columnsOf, scale, reports }: CompileInput, id: NodeId) {
  const values = new BoundValues()
  const expressions: string[] = []
  const relations = new Map<NodeId, Relation>()
  const of = (node: NodeId): Relation => {
    const relation = relations.get(node)
    if (relation === undefined) throw new Error(`The statement has no relation for ${node}`)
    return relation
  }
  /** Adds a CTE, and returns its name. */
  const define = (name: string, sql: string): string => {
    expressions.push(`${name} AS (\n${sql}\n)`)
    return name
  }
  for (const node of ancestorsOf(plan, id)) {
    let steps = 0
    const name = () => (node.stage === 'post' ? `${node.id}_${++steps}` : node.id)
    const context = { scale, values, define: (select: string) => define(name(), select), report: reports?.get(node.id) }
    const isScan = node.stage === 'scan'
    relations.set(node.id, isScan ? plainRelation(node.id, columnsOf(node.id)) : compileNode(node, of, context))
  }
  return {
    of,
    define,
    /** Returns the whole statement, with the values of the plan by the names of their placeholders. `shown` has them in place, for people. */
    statement(select: string) {
      const sql = `${expressions.length === 0 ? '' : `WITH ${expressions.join(',\n')}\n`}${select}`
      return { sql, parameters: values.parameters, shown: values.shown(sql) }
    },
  }
}

type Combined = Exclude<Stage, { stage: 'scan' }>

function compileNode({ stage, definition }: Combined, relationOf: (id: NodeId) => Relation, context: CompileContext): Relation {
  if (stage === 'combine') return compileCombine(definition, relationOf, context)
  return compilePost(definition, relationOf(definition.input), context)
}

/**
 * Returns the columns of a combine or post, and checks its names and types.
 * @param columnsOf returns the columns of an input
 * @throws PlanRefusal
 */
export function columnsOfNode(node: Combined, columnsOf: (id: NodeId) => Columns): Columns {
  const context = { scale: 0, values: new BoundValues(), define: () => '' }
  return compileNode(node, id => plainRelation('', columnsOf(id)), context).columns
}
