import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { createMetrics } from '../../src/telemetry/metrics.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const DASHBOARD = read('deploy/grafana/clew.json')
const ALERTS = read('deploy/prometheus/alerts.yaml')
const DOCUMENT = read('docs/metrics.md')

/** The metrics that are served, with their type and their sentence. */
let served: ReadonlyMap<string, { readonly type: string; readonly tells: string }>

beforeAll(async () => {
  const metrics = createMetrics({ routeOf: () => '', breakers: () => [] })
  metrics.watchQueue(async () => ({ threads: 0, messages: 0, oldestSeconds: 0, running: 0, delayed: 0, deadLetters: 0 }))
  const server = createServer(metrics.listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const text = await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text()
  server.close()
  const found = text.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm)
  served = new Map([...found].map(([, name = '', tells = '', type = '']) => [name, { type, tells }]))
})

/** Returns the names of metrics in a query. A histogram is named in its parts. */
function metricsIn(query: string): readonly string[] {
  const names = query.match(/\b(?:clew|process|nodejs)_[a-z0-9_]+/g) ?? []
  return names.map(name => (served.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')))
}

const dashboardSchema = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).optional() })),
})

describe('the metrics', () => {
  it('of each panel of the dashboard are served', () => {
    const { panels } = dashboardSchema.parse(JSON.parse(DASHBOARD))
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    expect(queries.length).toBeGreaterThan(30)
    expect(queries.filter(query => metricsIn(query).length === 0)).toEqual([])
    expect(queries.flatMap(metricsIn).filter(name => !served.has(name))).toEqual([])
  })

  it('of each alert are served', () => {
    const named = metricsIn(ALERTS)
    expect(named.length).toBeGreaterThan(7)
    expect(named.filter(name => !served.has(name))).toEqual([])
  })

  it('of Clew are all shown in the dashboard', () => {
    const shown = new Set(metricsIn(DASHBOARD))
    expect([...served.keys()].filter(name => name.startsWith('clew_') && !shown.has(name))).toEqual([])
  })

  it('of Clew are all in docs/metrics.md, with their type and their sentence, and no others', () => {
    const rows = [...DOCUMENT.matchAll(/^\| `(clew_\w+)` \| (\w+) \| .*\| (.+) \|$/gm)]
    const documented = rows.map(([, name, type, tells]) => `${name} ${type}: ${tells}`)
    const own = [...served].filter(([name]) => name.startsWith('clew_'))
    expect(documented.toSorted()).toEqual(own.map(([name, { type, tells }]) => `${name} ${type}: ${tells}`).toSorted())
    expect([...served.keys()].filter(name => !/^(?:clew|process|nodejs)_/.test(name))).toEqual([])
  })

  it('follow the conventions of Prometheus for names', () => {
    const own = [...served].filter(([name]) => name.startsWith('clew_'))
    for (const [name, { type }] of own) {
      expect({ name, isTotal: name.endsWith('_total') }).toEqual({ name, isTotal: type === 'counter' })
      if (type === 'histogram') expect(name).toMatch(/_seconds$/)
    }
  })
})

it('each alert is documented and tested to fire, and no other', () => {
  const alerts = [...ALERTS.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name).toSorted()
  const documented = [...DOCUMENT.matchAll(/^\| `(Clew\w+)` \|/gm)].map(([, name = '']) => name)
  expect(documented.toSorted()).toEqual(alerts)
  const tested = read('deploy/prometheus/alerts.test.yaml').matchAll(/alertname: (Clew\w+)\n\s+exp_alerts:/g)
  expect([...new Set([...tested].map(([, name = '']) => name))].toSorted()).toEqual(alerts)
})
