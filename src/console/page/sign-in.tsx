import { useState } from 'preact/hooks'
import { call, type PageProblem } from './api.ts'
import { Failure } from './parts/states.tsx'
import { Mark } from './shell.tsx'

/** What a person without a session sees. The link's secret is in the fragment, which no server and no log gets. */
export function SignIn({ signedIn }: { signedIn(): void }) {
  const [secret] = useState(() => new URLSearchParams(location.hash.slice(1)).get('sign-in'))
  const [problem, setProblem] = useState<PageProblem>()
  const [isSending, setSending] = useState(false)
  const signIn = () => {
    setSending(true)
    call('/console/api/session', { method: 'POST', body: { secret } })
      .then(() => {
        history.replaceState(null, '', location.pathname)
        signedIn()
      })
      .catch(setProblem)
      .finally(() => setSending(false))
  }
  return (
    <main class="sign-in">
      <h1>
        <Mark /> Clew
      </h1>
      {secret === null || problem ? (
        <>
          {problem && <Failure problem={problem} />}
          <p>To sign in, open a personal link. It works once, for ten minutes.</p>
          <ul>
            <li>
              In Slack or Discord, send <code>/console</code>.
            </li>
            <li>
              On Clew's machine, run <code>clew tokens link</code>.
            </li>
          </ul>
        </>
      ) : (
        <>
          <p>This link is personal: whoever uses it asks in your name.</p>
          <button type="button" class="primary" disabled={isSending} onClick={signIn}>
            Sign in
          </button>
        </>
      )}
    </main>
  )
}
