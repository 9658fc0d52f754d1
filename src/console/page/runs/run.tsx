import { type DefaultParams, Link } from 'wouter-preact'
import type { RunJson } from '../../runs-json.ts'
import { Answer, AskAgain, Feedback, Trust } from '../answer/answer.tsx'
import { useSession } from '../api.ts'
import { count, duration, errorInWords, facts, moment, money, nameInWords, number } from '../format.ts'
import { useAddress } from '../parts/controls.tsx'
import { Empty, Failure, Load, State, stateName } from '../parts/states.tsx'
import { Outcome } from './run-list.tsx'
import { Waterfall } from './waterfall.tsx'

/** One run: its figures, its steps, and its answer with all that it rests on. */
export function Run({ id = '' }: DefaultParams) {
  return <Load<RunJson> path={`/console/api/runs/${encodeURIComponent(id)}`}>{run => <Shown {...run} />}</Load>
}

/** Two runs beside each other. */
export function Compared() {
  const [{ a, b }] = useAddress()
  return (
    <div class="compared">
      <Run id={a} />
      <Run id={b} />
    </div>
  )
}

function Shown({ line, steps, result, hidden, feedback, may }: RunJson) {
  const isOwn = useSession().person === line.person
  const isGone = !hidden && result === null && line.outcome !== 'running'
  return (
    <article class="run">
      <h1>{line.question ?? 'A question that you may not see'}</h1>
      <p class="row small">
        <Outcome {...line} />
        {result === null && line.confidence && <State of={line.confidence} />}
        {facts(
          `${moment(line.at)}, by ${nameInWords(line.person)}${line.channel === '' ? '' : `, ${nameInWords(line.place)}`}`,
          duration(line.ms),
          `${count(line.model_calls, 'model call')}, ${number(line.tokens_in)} → ${number(line.tokens_out)} tokens`,
          line.cost === null ? 'price unknown' : money(line.cost),
        )}
      </p>
      {result && <Trust {...result} />}
      {hidden && <Empty>Its SQL, rows and answer are hidden: it was private, or its asker's rights differ from yours.</Empty>}
      {isGone && (
        <Failure
          problem={line.error ? `${stateName(line.outcome)}: ${errorInWords(line.error)}.` : 'The answer is no longer kept.'}
        />
      )}
      {result && <h2>Answer</h2>}
      {result?.investigation && (
        <Link href={`/lineage/runs/${encodeURIComponent(result.investigation.job_id)}?answer=${line.id}`}>
          Steps along the graph
        </Link>
      )}
      {result && (
        <Answer run={line.id} result={result} mayRun={may.rerun}>
          {isOwn && <Feedback run={line.id} given={feedback} />}
          {isOwn && <AskAgain run={line.id} />}
          {isOwn && line.platform === 'http' && <Link href={`/ask/${line.thread}`}>Open the thread</Link>}
        </Answer>
      )}
      <h2>Steps</h2>
      <Waterfall steps={steps} queries={result?.queries ?? []} />
    </article>
  )
}
