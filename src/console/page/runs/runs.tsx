import { Route, Switch, useParams, useSearchParams } from 'wouter-preact'
import { Run } from './run.tsx'
import { RunList } from './run-list.tsx'

/** All runs, one run, and two beside each other. */
export function Runs() {
  return (
    <Switch>
      <Route path="/" component={RunList} />
      <Route path="/compare" component={Compared} />
      <Route path="/:id" component={One} />
    </Switch>
  )
}

function One() {
  const { id = '' } = useParams()
  return <Run id={id} />
}

/** Two runs beside each other. */
function Compared() {
  const [{ a, b }] = [Object.fromEntries(useSearchParams()[0]) as { readonly a?: string; readonly b?: string }]
  return (
    <div class="compared">
      {[a, b].map((id = '') => (
        <Run key={id} id={id} />
      ))}
    </div>
  )
}
