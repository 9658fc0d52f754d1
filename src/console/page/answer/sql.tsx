import { useEffect, useState } from 'preact/hooks'
import type { RerunJson, ShownResult } from '../../runs-json.ts'
import { call, useApi } from '../api.ts'
import { count, duration } from '../format.ts'
import { Action } from '../parts/action.tsx'
import { SqlBox } from '../parts/sql-box.tsx'
import { Failure } from '../parts/states.tsx'
import { Rows } from './rows.tsx'

interface SqlProps {
  readonly run: string
  readonly query: ShownResult['queries'][number] & { readonly sql: string }
  readonly mayRun: boolean
}

/** The SQL of a query, which the viewer can edit, run as a guarded query of their own, and propose as a verified one. */
export function Sql({ run, query: { id, sql: original, question }, mayRun }: SqlProps) {
  const path = `/console/api/runs/${run}/queries/${id}`
  // The engine breaks SQL into lines, unless its writer has.
  const formatted = useApi<{ readonly sql: string }>(original.includes('\n') ? undefined : `${path}/sql`).data?.sql
  const [sql, change] = useState(original)
  const [outcome, setOutcome] = useState<RerunJson>()
  const [proposed, setProposed] = useState('')
  useEffect(() => {
    if (formatted !== undefined) change(last => (last === original ? formatted : last))
  }, [formatted])
  if (!mayRun) return <pre>{sql}</pre>
  const runIt = async () => setOutcome(await call<RerunJson>(`${path}/run`, { method: 'POST', body: { sql } }))
  const propose = async () => {
    await call(`/console/api/runs/${run}/propose`, { method: 'POST', body: { sql, question } })
    setProposed(sql)
  }
  const isRead = outcome?.kind === 'read'
  return (
    <>
      <SqlBox label={`SQL of ${id}`} rows={10} text={sql} change={change} />
      <p class="row">
        <Action label="Run" work={runIt} />
        <Action label="Propose as a verified query" isOff={!isRead || proposed === sql} work={propose} />
        <span role="status">{proposed === sql && 'Proposed. Who may define accepts it on the page Data.'}</span>
      </p>
      {outcome?.kind === 'refused' && <Failure problem={outcome.message} />}
      {isRead && (
        <>
          <Rows name="the SQL as edited" {...outcome} />
          <p class="small">
            {`${outcome.truncated ? 'The first ' : ''}${count(outcome.rows.length, 'row')} · ran ${duration(outcome.elapsed_ms)} `}
            {outcome.doubt}
          </p>
        </>
      )}
    </>
  )
}
