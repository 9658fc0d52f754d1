import { useLocation } from 'wouter-preact'
import { Tabs } from '../parts/tabs.tsx'
import { useSession } from '../session.ts'
import { Definitions } from './definitions.tsx'
import { Evals } from './evals.tsx'
import { Proposals } from './proposals.tsx'
import { Tables } from './tables.tsx'

const TABS = [
  { id: 'tables', label: 'Tables', View: Tables },
  { id: 'definitions', label: 'Definitions', View: Definitions },
  { id: 'proposals', label: 'Proposals', View: Proposals },
  { id: 'evals', label: 'Evals', View: Evals },
] as const

/** What Clew knows of the data: the tables, the domain pack, proposals for it, and how often answers are right. */
export function Data() {
  const { may } = useSession()
  const [path, go] = useLocation()
  const tabs = TABS.slice(0, may.define ? 4 : 2)
  const { id, View } = tabs.find(tab => path === `/${tab.id}`) ?? TABS[0]
  return (
    <>
      <h1>Data</h1>
      <Tabs label="Data" tabs={tabs} chosen={id} choose={chosen => go(`/${chosen}`)}>
        <View />
      </Tabs>
    </>
  )
}
