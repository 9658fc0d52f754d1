import { render } from 'preact'
import { useEffect } from 'preact/hooks'
import type { SessionJson } from '../session-routes.ts'
import { SESSION, SIGNED_OUT, useApi } from './api.ts'
import { Ready } from './parts/states.tsx'
import { SessionContext } from './session.ts'
import { Shell } from './shell.tsx'
import { SignIn } from './sign-in.tsx'

function Console() {
  const session = useApi<SessionJson>(SESSION)
  const { reload } = session
  useEffect(() => {
    addEventListener(SIGNED_OUT, reload)
    return () => removeEventListener(SIGNED_OUT, reload)
  }, [reload])
  if (session.problem?.status === 401) return <SignIn signedIn={reload} />
  return (
    <Ready loaded={session}>
      {data => (
        <SessionContext.Provider value={data}>
          <Shell />
        </SessionContext.Provider>
      )}
    </Ready>
  )
}

render(<Console />, document.getElementById('page') as HTMLElement)
