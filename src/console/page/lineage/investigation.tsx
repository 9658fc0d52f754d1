import { Link } from 'wouter-preact'
import type { RunJson } from '../../runs-json.ts'
import type { Loaded } from '../api.ts'
import { words } from '../format.ts'
import { Action } from '../parts/controls.tsx'
import { Markdown } from '../parts/markdown.tsx'
import { Badge, Empty, Ready } from '../parts/states.tsx'
import { Rows } from '../parts/table.tsx'
import type { RunView } from './run.tsx'

/** The question, the finding, and each step on the way. A chosen step lights up its tables. */
export function Investigation({ loaded, ...view }: RunView & { readonly loaded: Loaded<RunJson> }) {
  return (
    <section class="card" aria-label="Investigation">
      <Ready loaded={loaded}>
        {({ line, result }) =>
          result?.investigation === undefined ? (
            <Empty>The steps of this investigation are not kept, or you may not see them.</Empty>
          ) : (
            <>
              <h2>{result.standalone_question}</h2>
              <Markdown text={result.answer.split('\n')[0] ?? ''} />
              <Link href={`/runs/${line.id}`}>The whole answer</Link>
              <ol>
                {result.investigation.tool_calls.map((_, at) => (
                  <Step key={at} {...{ view, result, at }} />
                ))}
              </ol>
            </>
          )
        }
      </Ready>
    </section>
  )
}

type Result = NonNullable<RunJson['result']>

const WORDS: Readonly<Record<string, string>> = {
  list_graph_nodes: 'Listed the tables',
  get_op_sql: 'Read the SQL of',
  get_schema: 'Read the columns of',
  query_table: 'Queried',
  request_full_replay: 'Asked to run the job again',
}

function Step({ view, result, at }: { readonly view: RunView; readonly result: Result; readonly at: number }) {
  const { graph, chosen, choose } = view
  const step = result.investigation?.tool_calls[at]
  if (step === undefined) return null
  const { tool, tables, error_kind: error, arguments: given } = step
  const isOpen = chosen.step === `${at}`
  const query = result.queries.find(({ id }) => id === step.evidence)
  const press = () => {
    const table = graph.nodes.find(({ label }) => label === tables[0])?.table
    choose({ step: isOpen ? undefined : `${at}`, table, value: undefined, column: undefined })
  }
  return (
    <li>
      <Action label={`${WORDS[tool] ?? tool} ${tables.join(', ')}`} look="link" isOn={isOpen} work={press} />{' '}
      {error !== null && <Badge tone="bad" text={words(error)} />}
      {isOpen && <pre>{query?.sql ?? String(given.sql ?? given.reason ?? '')}</pre>}
      {isOpen && query && <Rows name={query.id} {...query} />}
    </li>
  )
}
