import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { SessionJson } from '../session-routes.ts'

/** Who is signed in, and what they may do. The shell shows no page without it. */
export const SessionContext = createContext<SessionJson | undefined>(undefined)

export function useSession(): SessionJson {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('There is no session.')
  return session
}
