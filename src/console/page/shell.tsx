import { Link, Redirect, Route, Switch, useLocation } from 'wouter-preact'
import { call, SESSION } from './api.ts'
import { PAGES } from './pages.tsx'
import { Empty } from './parts/states.tsx'
import { useSession } from './session.ts'

/** The navigation, and beside it the page of the address. */
export function Shell() {
  const session = useSession()
  const pages = PAGES.filter(page => page.mayOpen(session))
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header>
        <Link href="/ask" class="brand" aria-label="Clew, ask a question">
          <Mark /> <span>Clew</span>
        </Link>
        <nav aria-label="Pages">
          {pages.map(page => (
            <NavigationLink key={page.path} {...page} />
          ))}
        </nav>
        <Account />
      </header>
      <main id="content" tabIndex={-1}>
        <Switch>
          {pages.map(({ path, View }) => (
            <Route key={path} path={path} nest>
              <View />
            </Route>
          ))}
          <Route path="/">
            <Redirect to="/ask" replace />
          </Route>
          <Route>
            <Empty>There is no such page, or you may not open it.</Empty>
          </Route>
        </Switch>
      </main>
    </div>
  )
}

function NavigationLink({ name, path }: { readonly name: string; readonly path: string }) {
  const [location] = useLocation()
  const isHere = location === path || location.startsWith(`${path}/`)
  return (
    <Link href={path} aria-current={isHere ? 'page' : undefined}>
      {name}
    </Link>
  )
}

function Account() {
  const { person, roles } = useSession()
  const signOut = () => call(SESSION, { method: 'DELETE' }).finally(() => location.assign('/'))
  return (
    <div class="account">
      <span title={roles.length === 0 ? person : `${person} · ${roles.join(', ')}`}>{person}</span>
      <button type="button" class="link" onClick={signOut}>
        Sign out
      </button>
    </div>
  )
}

/** A ball of thread. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <circle cx="12" cy="12" r="9" />
      <path d="M4 9c6-3 12 0 16 6M6 18c2-8 8-12 13-12" />
    </svg>
  )
}
