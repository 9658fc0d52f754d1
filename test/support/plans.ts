import { checkPlan } from '../../src/combine/check-plan.ts'
import { type NodeId, type Plan, type PlanDraft, planDraftSchema } from '../../src/combine/plan.ts'

/** Customers of one source beside their use in another one. Tests change parts of it. */
export const CUSTOMERS_AND_USAGE: PlanDraft = planDraftSchema.parse({
  sub_queries: [
    {
      key: 'customers',
      source: 'crm',
      question: 'Which contract value has each customer?',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'name', type: 'text' },
        { name: 'value', type: 'decimal' },
        { name: 'score', type: 'float' },
      ],
      restrict: null,
    },
    {
      key: 'usage',
      source: 'telemetry',
      question: 'How much does each customer use?',
      columns: [
        { name: 'customer', type: 'integer' },
        { name: 'name', type: 'text' },
        { name: 'month', type: 'date' },
        { name: 'gigabytes', type: 'integer' },
      ],
      restrict: { column: 'customer', from: 'customers', key: 'id' },
    },
  ],
  combines: [
    { kind: 'join', key: 'joined', join: 'left', left: 'customers', right: 'usage', on: [{ left: 'id', right: 'customer' }] },
  ],
  posts: [
    {
      key: 'by_name',
      input: 'joined',
      question: 'How much does each name use?',
      steps: [
        { kind: 'aggregate', by: ['name'], measures: [{ name: 'used', function: 'sum', column: 'gigabytes' }] },
        { kind: 'sort', by: [{ column: 'used', descending: true }] },
      ],
    },
  ],
})

const SOURCES = ['crm', 'telemetry']

export function planFor(draft: PlanDraft): Plan {
  const checked = checkPlan(draft, { sources: SOURCES })
  if ('refused' in checked) throw new Error(checked.refused)
  return checked.plan
}

/** Returns the sentence with which a draft is refused. */
export function refusalOf(draft: PlanDraft): string {
  const checked = checkPlan(draft, { sources: SOURCES })
  return 'refused' in checked ? checked.refused : 'not refused'
}

export function idOf(plan: Plan, key: string): NodeId {
  const id = plan.idOfKey.get(key)
  if (id === undefined) throw new Error(`The plan has no ${key}`)
  return id
}
