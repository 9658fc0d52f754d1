import { describe, expect, it } from '@jest/globals'
import { runRecord } from '../../../test/support/presses.ts'
import { queryReport } from '../../../test/support/query-report.ts'
import { AccessControl } from '../../access/control.ts'
import { parseAccess } from '../../access/read-access-file.ts'
import { PLATFORM_REGISTRY } from '../../main/platform-registry.ts'
import { createPressAccess } from './press-access.ts'

const { signal } = new AbortController()
const record = runRecord({ queries: [queryReport({ tables: ['shop.devices'] })] })

/** Changes the access rules so that the record's author has this role, and then calls `mayPublish`. */
function mayPublish(role: string, of = record): Promise<boolean> {
  const text = `
version: 1
default: ${role}
roles:
  reader: {tables: ["*.*"], publish: true}
  guest: {tables: [elsewhere.nothing], publish: true}
  silent: {tables: ["*.*"]}
`
  const people = { groupsOf: async () => new Map(), channelMembers: async () => undefined }
  return createPressAccess(new AccessControl({ policy: parseAccess(text, 'access.yaml', PLATFORM_REGISTRY), people })).mayPublish(
    of,
    signal,
  )
}

describe('a private answer may be posted to the channel', () => {
  it('by people with that right who may still read its tables', async () => {
    expect(await mayPublish('reader')).toBe(true)
    expect(await mayPublish('silent')).toBe(false)
    expect(await mayPublish('guest')).toBe(false)
  })

  it('if it drafts a pipeline, only by people who may read all that the draft reads', async () => {
    const drafts = (tables: string[] | null) =>
      runRecord({ queries: [], draft: { name: 'loss', definition: 'name: loss', valid: tables !== null, tables } })
    expect(await mayPublish('guest', drafts(['elsewhere.nothing']))).toBe(true)
    expect(await mayPublish('guest', drafts(['elsewhere.nothing', 'shop.devices']))).toBe(false)
    expect(await mayPublish('guest', drafts(null))).toBe(false)
    expect(await mayPublish('reader', drafts(null))).toBe(true)
  })
})
