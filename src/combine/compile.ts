import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import { BoundValues } from './bound-values.ts'
import type { Columns } from './columns.ts'
import { type CompileContext, columnsOnly, compileCombine } from './compile-combine.ts'
import { compilePost, type OrderedRelation, orderSql } from './compile-steps.ts'
import { ancestorsOf } from './dag.ts'
import type { CombineNode, NodeId, Plan, PlanNode, PostNode } from './plan.ts'

export interface CompiledStatement {
  readonly sql: string
  /** Values of the plan, by the names of their placeholders in the SQL. */
  readonly parameters: Readonly<Record<string, string>>
  /** The same SQL with the values in it, for people. */
  readonly shown: string
}

export interface CompileInput {
  readonly plan: Pick<Plan, 'nodes'>
  /** The columns of each scan, for the types that its result really has. */
  readonly columnsOf: (id: NodeId) => Columns
  /** The scale of all decimals. */
  readonly scale: number
}

/**
 * Compiles a node's result to one SELECT, with a CTE for each node that it needs and for each step of a post. The rows of a scan are in
 * the table of its id. Reads one row more than `maxRows`, which shows that there are more.
 */
export function compileResult(input: CompileInput, id: NodeId, maxRows: number): CompiledStatement {
  const relations = new Relations(input, id)
  const result = relations.of(id)
  const names = result.columns.map(({ name }) => `t.${quoteIdentifier(name)}`).join(', ')
  return relations.statement(`SELECT ${names}\nFROM ${result.sql} AS t\n${orderSql(result)}\nLIMIT ${maxRows + 1}`)
}

/** The CTEs of a node and of all that it needs. */
export class Relations {
  readonly values = new BoundValues()
  readonly #input: CompileInput
  readonly #expressions: { readonly name: string; readonly sql: string }[] = []
  readonly #relations = new Map<NodeId, OrderedRelation>()

  constructor(input: CompileInput, id: NodeId) {
    this.#input = input
    for (const node of ancestorsOf(input.plan, id)) this.#relations.set(node.id, this.#add(node))
  }

  of(id: NodeId): OrderedRelation {
    const relation = this.#relations.get(id)
    if (relation === undefined) throw new Error(`The statement has no relation for ${id}`)
    return relation
  }

  /** Adds a CTE. */
  define(name: string, sql: string): void {
    this.#expressions.push({ name, sql })
  }

  statement(select: string): CompiledStatement {
    const expressions = this.#expressions.map(({ name, sql }) => `${name} AS (\n${sql}\n)`)
    const sql = `${expressions.length === 0 ? '' : `WITH ${expressions.join(',\n')}\n`}${select}`
    return { sql, parameters: this.values.parameters, shown: this.values.shown(sql) }
  }

  #add(node: PlanNode): OrderedRelation {
    const { id, stage } = node
    if (stage === 'scan') return { sql: id, columns: this.#input.columnsOf(id), order: [] }
    let steps = 0
    const define = (select: string) => {
      steps += 1
      const name = stage === 'post' ? `${id}_${steps}` : id
      this.define(name, select)
      return name
    }
    return compileNode(node, input => this.of(input), { scale: this.#input.scale, values: this.values }, define)
  }
}

type CombinedNode = Pick<CombineNode, 'stage' | 'definition'> | Pick<PostNode, 'stage' | 'definition'>

function compileNode(
  { stage, definition }: CombinedNode,
  relationOf: (id: NodeId) => OrderedRelation,
  context: CompileContext,
  define: (select: string) => string,
): OrderedRelation {
  if (stage === 'post') return compilePost(definition, relationOf(definition.input), context, define)
  const { columns, select } = compileCombine(definition, relationOf, context)
  return { sql: define(select), columns, order: definition.kind === 'standalone' ? relationOf(definition.input).order : [] }
}

/**
 * Returns the columns of a combine or post, and checks its names and types.
 * @param columnsOf returns the columns of an input
 * @throws PlanRefusal
 */
export function columnsOfNode(node: CombinedNode, columnsOf: (id: NodeId) => Columns): Columns {
  const relationOf = (id: NodeId) => ({ sql: '', columns: columnsOf(id), order: [] })
  return compileNode(node, relationOf, columnsOnly(), () => '').columns
}
