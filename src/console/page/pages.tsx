import type { ComponentType } from 'preact'
import type { SessionJson } from '../session-routes.ts'
import { Ask } from './ask/ask.tsx'
import { Data } from './data/data.tsx'
import { Lineage } from './lineage/lineage.tsx'
import { Operation } from './operation/operation.tsx'
import { Runs } from './runs/runs.tsx'
import { Subscriptions } from './subscriptions/subscriptions.tsx'

interface Page {
  readonly name: string
  /** The page has this path and all below it. */
  readonly path: string
  mayOpen(session: SessionJson): boolean
  readonly View: ComponentType
}

/** The pages in the order of the navigation. Each area adds its own one. Within it, paths are relative to `path`. */
export const PAGES: readonly Page[] = [
  { name: 'Ask', path: '/ask', mayOpen: () => true, View: Ask },
  { name: 'Runs', path: '/runs', mayOpen: () => true, View: Runs },
  { name: 'Subscriptions', path: '/subscriptions', mayOpen: () => true, View: Subscriptions },
  { name: 'Lineage', path: '/lineage', mayOpen: () => true, View: Lineage },
  { name: 'Data', path: '/data', mayOpen: () => true, View: Data },
  { name: 'Operation', path: '/operation', mayOpen: ({ may }) => may.operate, View: Operation },
]
