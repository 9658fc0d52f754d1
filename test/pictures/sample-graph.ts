import type { GraphPicture, PicturedTable } from '../../src/charts/picture.ts'

const table = (label: string, kind: PicturedTable['kind'], rows: number, given: Partial<PicturedTable> = {}): PicturedTable => ({
  label,
  kind,
  state: kind === 'intermediate' ? 'gone' : 'live',
  rows,
  failed: false,
  suspected: false,
  ...given,
})
const edges = (...links: readonly (readonly [number, number])[]) => links.map(([from, to]) => ({ from, to }))

const SOURCES = [
  'orders',
  'order_lines',
  'products',
  'customers',
  'addresses',
  'countries',
  'payments',
  'refunds',
  'exchange_rates',
  'shipments',
  'carriers',
  'warehouses',
  'campaigns',
  'clicks',
]
const FACTS = [
  'priced_order_lines',
  'orders_with_customer',
  'customers_by_country',
  'payments_in_euro',
  'refunds_in_euro',
  'shipments_with_carrier',
  'stock_by_warehouse',
  'attributed_clicks',
  'orders_with_payment',
  'late_shipments',
  'net_order_value_after_refunds_and_fees',
  'campaign_costs',
]
const DAILY = [
  'daily_revenue',
  'daily_refunds',
  'daily_shipments',
  'daily_stock',
  'daily_clicks',
  'daily_new_customers',
  'daily_margin_by_country_and_product_group',
  'daily_late_share',
  'daily_costs',
  'daily_orders',
]
const REPORTS = [
  'revenue_by_region',
  'margin_by_product',
  'customer_cohorts',
  'delivery_quality',
  'campaign_return',
  'stock_forecast',
]
const TARGETS = ['report_sales', 'report_logistics', 'report_marketing', 'report_finance']

/** The nightly run of a data warehouse, with sixty tables in six steps. */
export const LARGE_GRAPH: GraphPicture = (() => {
  const layers = [SOURCES, SOURCES.map(name => `${name}_clean`), FACTS, DAILY, REPORTS, TARGETS]
  const starts = layers.map((_, layer) => layers.slice(0, layer).flat().length)
  const kinds = ['outside', 'input', 'intermediate', 'intermediate', 'intermediate', 'target'] as const
  const nodes = layers.flatMap((names, layer) =>
    names.map((name, place) =>
      table(name, kinds[layer] ?? 'intermediate', Math.ceil(3_200_000 / 7 ** layer / (place + 1)), {
        ...(layer === 0 ? { rows: null } : {}),
        ...(name === 'payments_in_euro' ? { suspected: true } : {}),
        ...(layer === 4 && place % 2 === 0 ? { state: 'replayed' } : {}),
        ...(name === 'report_finance' ? { state: 'replaced' } : {}),
      }),
    ),
  )
  const links = layers.flatMap((names, layer) => {
    const before = layers[layer - 1]?.length ?? 0
    if (before === 0) return []
    return names.flatMap((_, place) => {
      const first = Math.floor((place * before) / names.length)
      const read =
        layer === 1 ? [first] : [first, Math.min(before - 1, first + 1), ...(place % 5 === 2 ? [(first * 3) % before] : [])]
      return [...new Set(read)].map(from => [(starts[layer - 1] ?? 0) + from, (starts[layer] ?? 0) + place] as const)
    })
  })
  return { kind: 'graph', title: 'Lineage of nightly_reports', nodes, edges: edges(...links) }
})()
