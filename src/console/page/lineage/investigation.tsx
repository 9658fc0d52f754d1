import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { InvestigationReport } from '../../../agent/run/investigation-report.ts'
import type { RunGraphJson } from '../../lineage-json.ts'
import type { RunJson } from '../../runs-json.ts'
import { type Loaded, useApi } from '../api.ts'
import { count } from '../format.ts'
import { Markdown } from '../parts/markdown.tsx'
import { Badge, Empty, Ready } from '../parts/states.tsx'
import { Table } from '../parts/table.tsx'

/** Reads the answer of an investigation. Undefined if the address names none. */
export function useInvestigation(answer: string | undefined): Loaded<RunJson> | undefined {
  const loaded = useApi<RunJson>(answer === undefined ? undefined : `/console/api/runs/${encodeURIComponent(answer)}`)
  return answer === undefined ? undefined : loaded
}

interface Props {
  readonly loaded: Loaded<RunJson>
  readonly graph: RunGraphJson
  /** Lights up the tables with these labels. */
  light(labels: readonly string[]): void
  select(table: string): void
}

/** What was asked, what was found, and each step on the way. A chosen step lights up its tables. */
export function Investigation({ loaded, ...props }: Props) {
  return (
    <section class="card panel" aria-label="Investigation">
      <Ready loaded={loaded}>
        {({ line, result }) =>
          result?.investigation === undefined ? (
            <Empty>The steps of this investigation are not kept, or you may not see them.</Empty>
          ) : (
            <>
              <h2>{result.standalone_question}</h2>
              <Markdown text={result.answer.split('\n').find(text => text.trim() !== '') ?? ''} />
              <Link href={`~/runs/${line.id}`}>The whole answer</Link>
              <Steps report={result.investigation} queries={result.queries} {...props} />
            </>
          )
        }
      </Ready>
    </section>
  )
}

type Step = InvestigationReport['tool_calls'][number]
type Queries = NonNullable<RunJson['result']>['queries']

function Steps({
  report,
  queries,
  graph,
  light,
  select,
}: Omit<Props, 'loaded'> & { readonly report: InvestigationReport; readonly queries: Queries }) {
  const [chosen, setChosen] = useState(-1)
  const choose = (step: Step, at: number) => {
    setChosen(at === chosen ? -1 : at)
    light(at === chosen ? [] : step.tables)
    const table = graph.nodes.find(({ label }) => label === step.tables[0])?.table
    if (table !== undefined && at !== chosen) select(table)
  }
  return (
    <ol class="steps">
      {report.tool_calls.map((step, at) => (
        <li key={at}>
          <button type="button" class="link" aria-expanded={at === chosen} onClick={() => choose(step, at)}>
            {sentenceOf(step)}
          </button>{' '}
          {step.error_kind !== null && <Badge tone="bad">{step.error_kind.replaceAll('_', ' ')}</Badge>}
          {at === chosen && <Evidence step={step} query={queries.find(({ id }) => id === step.evidence)} />}
        </li>
      ))}
    </ol>
  )
}

function sentenceOf({ tool, tables, arguments: given }: Step): string {
  const named = tables.join(', ') || String(given.table ?? given.operation_id ?? 'the tables')
  const words: Readonly<Record<string, string>> = {
    list_graph_nodes: 'Listed the tables',
    get_op_sql: `Read the SQL of ${named}`,
    get_schema: `Read the columns of ${named}`,
    query_table: `Queried ${named}`,
    request_full_replay: 'Asked to run the job again',
  }
  return words[tool] ?? tool
}

function Evidence({ step, query }: { readonly step: Step; readonly query: Queries[number] | undefined }) {
  const text = query?.sql ?? step.arguments.sql ?? step.arguments.reason
  return (
    <>
      {typeof text === 'string' && (
        <pre>
          <code>{text}</code>
        </pre>
      )}
      {query !== undefined && (
        <>
          <p class="small">
            {query.id}: {count(query.rows.length, 'row')}
          </p>
          <Table
            label={`Rows of ${query.id}`}
            rows={query.rows}
            columns={query.columns.map(({ name }, at) => ({
              head: name,
              cell: (row: readonly unknown[]) => (row[at] === null ? 'NULL' : String(row[at])),
            }))}
          />
        </>
      )}
    </>
  )
}
