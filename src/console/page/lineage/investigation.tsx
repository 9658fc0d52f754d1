import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { InvestigationReport } from '../../../agent/run/investigation-report.ts'
import type { RunJson } from '../../runs-json.ts'
import { Rows } from '../answer/rows.tsx'
import type { Loaded } from '../api.ts'
import { Markdown } from '../parts/markdown.tsx'
import { Badge, Empty, Ready } from '../parts/states.tsx'
import type { RunView } from './run.tsx'

type Step = InvestigationReport['tool_calls'][number]

/** What was asked, what was found, and each step on the way. A chosen step lights up its tables. */
export function Investigation({ loaded, graph, light, choose }: RunView & { readonly loaded: Loaded<RunJson> }) {
  const [chosen, setChosen] = useState<Step>()
  useEffect(() => light(chosen?.tables ?? []), [light, chosen])
  const press = (step: Step) => {
    setChosen(step === chosen ? undefined : step)
    choose({ table: graph.nodes.find(({ label }) => label === step.tables[0])?.table ?? null, value: null, column: null })
  }
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
              <Link href={`~/runs/${line.id}`}>The whole answer</Link>
              <ol>
                {result.investigation.tool_calls.map((step, at) => (
                  <li key={at}>
                    <button type="button" class="link" aria-expanded={step === chosen} onClick={() => press(step)}>
                      {sentenceOf(step)}
                    </button>{' '}
                    {step.error_kind !== null && <Badge tone="bad">{step.error_kind.replaceAll('_', ' ')}</Badge>}
                    {step === chosen && <Evidence step={step} query={result.queries.find(({ id }) => id === step.evidence)} />}
                  </li>
                ))}
              </ol>
            </>
          )
        }
      </Ready>
    </section>
  )
}

function sentenceOf({ tool, tables }: Step): string {
  const words: Readonly<Record<string, string>> = {
    list_graph_nodes: 'Listed the tables',
    get_op_sql: 'Read the SQL of',
    get_schema: 'Read the columns of',
    query_table: 'Queried',
    request_full_replay: 'Asked to run the job again',
  }
  return `${words[tool] ?? tool} ${tables.join(', ')}`
}

type Query = NonNullable<RunJson['result']>['queries'][number]

function Evidence({ step: { arguments: given }, query }: { readonly step: Step; readonly query: Query | undefined }) {
  return (
    <>
      <pre>{query?.sql ?? String(given.sql ?? given.reason ?? '')}</pre>
      {query && <Rows name={query.id} columns={query.columns} rows={query.rows} />}
    </>
  )
}
