import { quoteIdentifier } from '../warehouse/sql/quote-identifier.ts'
import { BoundValues } from './bound-values.ts'
import { type Columns, columnsOfSteps } from './columns.ts'
import { combineSql, type Relation } from './compile-combine.ts'
import { orderAfter, orderSql, type RowOrder, stepSql } from './compile-steps.ts'
import { ancestorsOf } from './dag.ts'
import type { NodeId, Plan, PlanNode, PostNode } from './plan.ts'

export interface CompiledStatement {
  readonly sql: string
  /** Values of the plan, by the names of their placeholders in the SQL. */
  readonly parameters: Readonly<Record<string, string>>
  /** The same SQL with the values in it, for people. */
  readonly shown: string
}

export interface CompileInput {
  readonly plan: Pick<Plan, 'nodes'>
  /** The columns of each node, for the types that the scans' results really have. */
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
  const { sql, columns, order } = relations.of(id)
  const names = columns.map(({ name }) => `t.${quoteIdentifier(name)}`).join(', ')
  return relations.statement(`SELECT ${names}\nFROM ${sql} AS t\n${orderSql(order, columns)}\nLIMIT ${maxRows + 1}`)
}

interface OrderedRelation extends Relation {
  readonly order: RowOrder
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
    const columns = this.#input.columnsOf(node.id)
    switch (node.stage) {
      case 'scan':
        return { sql: node.id, columns, order: [] }
      case 'combine': {
        const { definition } = node
        const sql = combineSql(definition, { ...this.#input, columns, values: this.values, relationOf: id => this.of(id) })
        this.define(node.id, sql)
        return { sql: node.id, columns, order: definition.kind === 'standalone' ? this.of(definition.input).order : [] }
      }
      case 'post':
        return this.#addPost(node)
    }
  }

  #addPost({ id, definition }: PostNode): OrderedRelation {
    let { sql: from, columns: input, order } = this.of(definition.input)
    const after = columnsOfSteps(definition, input)
    definition.steps.forEach((step, index) => {
      const select = stepSql(step, { from, input, order, scale: this.#input.scale, values: this.values })
      order = orderAfter(step, order)
      input = after[index] ?? input
      if (select === undefined) return
      from = `${id}_${index + 1}`
      this.define(from, select)
    })
    return { sql: from, columns: input, order }
  }
}
