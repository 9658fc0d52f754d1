// Measures how long results of two sources take from their rows to the joined ones: `node bench/run-ts.mjs bench/main-combine.ts`.
import { createLogger } from '../src/base/logger.ts'
import { checkPlan } from '../src/combine/check-plan.ts'
import { CombineEngine, openPrivateEngine } from '../src/combine/engine.ts'
import { planDraftSchema } from '../src/combine/plan.ts'

const RUNS = 30
const SIZES = { contracts: 9_000, usage: 10_000 }

const draft = planDraftSchema.parse({
  sub_queries: [
    {
      key: 'contracts',
      source: 'crm',
      question: 'contracts',
      columns: [
        { name: 'id', type: 'integer' },
        { name: 'value', type: 'decimal' },
      ],
      restrict: null,
    },
    {
      key: 'usage',
      source: 'telemetry',
      question: 'usage',
      columns: [
        { name: 'customer', type: 'integer' },
        { name: 'city', type: 'text' },
        { name: 'seen', type: 'datetime' },
      ],
      restrict: null,
    },
  ],
  combines: [
    { kind: 'join', key: 'joined', join: 'left', left: 'usage', right: 'contracts', on: [{ left: 'customer', right: 'id' }] },
  ],
  posts: [],
})

const checked = checkPlan(draft, { sources: ['crm', 'telemetry'] })
if ('refused' in checked) throw new Error(checked.refused)
const { plan } = checked
const rowsOf = (count: number, row: (index: number) => string[]) => Array.from({ length: count }, (_, index) => row(index))
const results = new Map(
  plan.nodes.flatMap(({ id, definition: { key } }) => {
    if (key === 'contracts') {
      const columns = [
        { name: 'id', type: 'Int64' },
        { name: 'value', type: 'Decimal(18, 2)' },
      ]
      return [[id, { columns, rows: rowsOf(SIZES.contracts, index => [`${index}`, `${index}.50`]), truncated: false }]]
    }
    if (key !== 'usage') return []
    const columns = [
      { name: 'customer', type: 'UInt64' },
      { name: 'city', type: 'String' },
      { name: 'seen', type: "DateTime('Europe/Berlin')" },
    ]
    const rows = rowsOf(SIZES.usage, index => [`${index}`, `city ${index % 100}`, '2024-07-01 12:00:00'])
    return [[id, { columns, rows, truncated: false }]]
  }),
)

const engine = new CombineEngine({
  open: openPrivateEngine,
  logger: createLogger({ level: 'warn' }),
  newId: () => `${performance.now()}`,
})
const begun = performance.now()
await engine.start()
console.log(`start of the engine: ${Math.round(performance.now() - begun)} ms`)
const times: number[] = []
for (let run = 0; run < RUNS; run++) {
  const began = performance.now()
  const [outcome] = await engine.combine({ plan, results }, AbortSignal.timeout(60_000))
  if (outcome?.kind !== 'answered') throw new Error(outcome?.message)
  times.push(performance.now() - began)
}
const sorted = times.slice(5).sort((one, other) => one - other)
const at = (part: number) => Math.round(sorted[Math.floor(part * sorted.length)] ?? 0)
console.log(`${SIZES.contracts} + ${SIZES.usage} rows, load + count + join: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms`)
await engine.close()
