import { Link } from 'wouter-preact'
import type { RunJson } from '../../runs-json.ts'
import { Answer, Trust } from '../answer/answer.tsx'
import { AskAgain, Feedback } from '../answer/feedback.tsx'
import { useApi } from '../api.ts'
import { count, duration, moment, money, number } from '../format.ts'
import { Empty, Failure, Ready } from '../parts/states.tsx'
import { useSession } from '../session.ts'
import { Confidence, Outcome } from './run-list.tsx'
import { Waterfall } from './waterfall.tsx'

/** One run: its figures, its steps, and its answer with all that it rests on. */
export function Run({ id }: { readonly id: string }) {
  return <Ready loaded={useApi<RunJson>(`/console/api/runs/${encodeURIComponent(id)}`)}>{run => <Shown run={run} />}</Ready>
}

function Shown({ run: { line, steps, result, hidden, feedback, may } }: { readonly run: RunJson }) {
  const isOwn = useSession().person === line.person
  const facts = [
    `${moment(line.at)}, by ${line.person}${line.channel === '' ? '' : `, ${line.place}`}`,
    duration(line.ms),
    `${count(line.model_calls, 'model call')}, ${number(line.tokens_in)} → ${number(line.tokens_out)} tokens`,
    line.cost === null ? 'price unknown' : money(line.cost),
  ]
  return (
    <article class="run">
      <h1>{line.question ?? 'A question that you may not see'}</h1>
      <p class="row small">
        <Outcome run={line} />
        {result === null && line.confidence && <Confidence level={line.confidence} />}
        {facts.join(' · ')}
      </p>
      {result && <Trust of={result} />}
      {hidden && <Empty>Its SQL, rows and answer are hidden: it was private, or its asker's rights differ from yours.</Empty>}
      {!hidden && result === null && line.outcome !== 'running' && (
        <Failure
          problem={line.error === null ? 'The answer is no longer kept.' : `It failed: ${line.error.replaceAll('_', ' ')}.`}
        />
      )}
      {result !== null && (
        <>
          <h2>Answer</h2>
          {result.investigation && (
            <Link href={`~/lineage/runs/${encodeURIComponent(result.investigation.job_id)}?answer=${line.id}`}>
              Steps along the graph
            </Link>
          )}
          <Answer run={line.id} result={result} mayRun={may.rerun}>
            {isOwn && <Feedback run={line.id} given={feedback} />}
            {isOwn && <AskAgain run={line.id} />}
            {isOwn && line.platform === 'http' && <Link href={`~/ask/${line.thread}`}>Open the thread</Link>}
          </Answer>
        </>
      )}
      <h2>Steps</h2>
      <Waterfall steps={steps} queries={result?.queries ?? []} />
    </article>
  )
}
