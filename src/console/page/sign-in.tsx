import { useState } from 'preact/hooks'
import { call, SESSION, useAction } from './api.ts'
import { Failure } from './parts/states.tsx'
import { Mark } from './shell.tsx'

/** What a person without a session sees. The link's secret is in the fragment, which no server and no log gets. */
export function SignIn({ signedIn }: { signedIn(): void }) {
  const [secret] = useState(() => new URLSearchParams(location.hash.slice(1)).get('sign-in'))
  const { act, isBusy, problem } = useAction()
  const signIn = async () => {
    await call(SESSION, { method: 'POST', body: { secret } })
    history.replaceState(null, '', location.pathname)
    signedIn()
  }
  return (
    <main class="sign-in">
      <h1>
        <Mark /> Clew
      </h1>
      {problem && <Failure problem={problem} />}
      {secret === null || problem ? (
        <p>
          To sign in, open a personal link. It works once, for ten minutes. Send <code>/console</code> in Slack or Discord, or run{' '}
          <code>clew tokens link</code> where Clew runs.
        </p>
      ) : (
        <>
          <p>This link is personal: whoever uses it asks in your name.</p>
          <button type="button" class="primary" disabled={isBusy} onClick={() => act(signIn)}>
            Sign in
          </button>
        </>
      )}
    </main>
  )
}
