import { type ComponentType, render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type DefaultParams, Link, Redirect, Route, Switch, useLocation } from 'wouter-preact'
import type { SessionJson } from '../session-routes.ts'
import { call, SESSION, SessionContext, SIGNED_OUT, useApi, useSession } from './api.ts'
import { Ask } from './ask/ask.tsx'
import { Definitions } from './data/definitions.tsx'
import { Evals } from './data/evals.tsx'
import { Proposals } from './data/proposals.tsx'
import { Tables } from './data/tables.tsx'
import { nameInWords } from './format.ts'
import { JobRun, Jobs } from './lineage/run.tsx'
import { Audit } from './operation/audit.tsx'
import { Now } from './operation/now.tsx'
import { Action } from './parts/controls.tsx'
import { Empty, Ready } from './parts/states.tsx'
import { Tabs } from './parts/tabs.tsx'
import { Compared, Run } from './runs/run.tsx'
import { RunList } from './runs/run-list.tsx'
import { Subscription, Subscriptions } from './subscriptions/subscriptions.tsx'

interface ViewOfPath {
  /** The page in the navigation. All its paths begin with its name. */
  readonly page: string
  /** The page has tabs if its views have this name. */
  readonly tab?: string
  readonly path: string
  /** It gets the parameters of the path. */
  readonly View: ComponentType<DefaultParams>
  readonly needs?: keyof SessionJson['may']
}

const VIEWS: readonly ViewOfPath[] = [
  { page: 'Ask', path: '/ask/:thread?', View: Ask },
  { page: 'Runs', path: '/runs', View: RunList },
  { page: 'Runs', path: '/runs/compare', View: Compared },
  { page: 'Runs', path: '/runs/:id', View: Run },
  { page: 'Subscriptions', path: '/subscriptions', View: Subscriptions },
  { page: 'Subscriptions', path: '/subscriptions/:id', View: Subscription },
  { page: 'Lineage', path: '/lineage', View: Jobs },
  { page: 'Lineage', path: '/lineage/runs/:id', View: JobRun },
  { page: 'Data', tab: 'Tables', path: '/data', View: Tables },
  { page: 'Data', tab: 'Definitions', path: '/data/definitions', View: Definitions },
  { page: 'Data', tab: 'Proposals', path: '/data/proposals', View: Proposals, needs: 'define' },
  { page: 'Data', tab: 'Evals', path: '/data/evals', View: Evals, needs: 'define' },
  { page: 'Operation', tab: 'Now and use', path: '/operation', View: Now, needs: 'operate' },
  { page: 'Operation', tab: 'Audit', path: '/operation/audit', View: Audit, needs: 'operate' },
]

function pathOf(page: string): string {
  return `/${page.toLowerCase()}`
}

/** The navigation, and beside it the view of the address. */
function Shell() {
  const { person, roles, may } = useSession()
  const [location, go] = useLocation()
  const views = VIEWS.filter(({ needs }) => needs === undefined || may[needs])
  const tabsOf = (page: string) =>
    views.flatMap(({ page: of, path: id, tab: label }) => (of === page && label ? { id, label } : []))
  const signOut = () => call(SESSION, { method: 'DELETE' }).finally(() => window.location.assign('/'))
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header>
        <Link href="/ask" class="brand" aria-label="Clew, ask a question">
          <span class="mark" /> <span>Clew</span>
        </Link>
        <nav aria-label="Pages">
          {[...new Set(views.map(({ page }) => page))].map(page => (
            <Link key={page} href={pathOf(page)} aria-current={location.startsWith(pathOf(page)) ? 'page' : undefined}>
              {page}
            </Link>
          ))}
        </nav>
        <div class="account">
          <span title={[person, ...roles].join(' · ')}>{nameInWords(person)}</span>
          <Action label="Sign out" look="link" work={signOut} />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <Switch>
          {views.map(({ page, tab, path, View }) => (
            <Route key={page} path={path}>
              {parameters =>
                tab === undefined ? (
                  <View {...parameters} />
                ) : (
                  <div class={page.toLowerCase()}>
                    <h1>{page}</h1>
                    <Tabs label={page} tabs={tabsOf(page)} chosen={path} choose={go}>
                      <View />
                    </Tabs>
                  </div>
                )
              }
            </Route>
          ))}
          <Route>
            {location === '/' ? <Redirect to="/ask" replace /> : <Empty>There is no such page, or you may not open it.</Empty>}
          </Route>
        </Switch>
      </main>
    </div>
  )
}

function Console() {
  const session = useApi<SessionJson>(SESSION)
  useEffect(() => addEventListener(SIGNED_OUT, () => session.reload()), [])
  if (session.problem?.status === 401) return <SignIn signedIn={session.reload} />
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

/** A person without a session sees this. The link's secret is in the fragment, which no server and no log gets. */
function SignIn({ signedIn }: { signedIn(): void }) {
  const secretOf = () => new URLSearchParams(location.hash.slice(1)).get('sign-in')
  const [secret, setSecret] = useState(secretOf)
  useEffect(() => addEventListener('hashchange', () => setSecret(secretOf())), [])
  const signIn = async () => {
    await call(SESSION, { method: 'POST', body: { secret } })
    history.replaceState(null, '', location.pathname)
    signedIn()
  }
  return (
    <main class="sign-in">
      <h1>
        <span class="mark" /> Clew
      </h1>
      {secret === null ? (
        <p>
          To sign in, open a personal link. It works once, for ten minutes. Send <code>/console</code> in Slack or Discord, or run{' '}
          <code>clew tokens link</code> where Clew runs.
        </p>
      ) : (
        <>
          <p>This link is personal: whoever uses it asks in your name.</p>
          <Action label="Sign in" look="primary" work={signIn} />
        </>
      )}
    </main>
  )
}

render(<Console />, document.getElementById('page') as HTMLElement)
