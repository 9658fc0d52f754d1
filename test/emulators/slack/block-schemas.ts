import { z } from 'zod'
import {
  actionElement,
  anyText,
  boundedText,
  contextAction,
  contextElement,
  markdownText,
  plainText,
  sectionAccessory,
} from './block-elements.ts'
import { richTextBlock } from './block-rich-text.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

const blockId = boundedText(SLACK_LIMITS.blockId).optional()

const section = z
  .strictObject({
    type: z.literal('section'),
    block_id: blockId,
    text: anyText(SLACK_LIMITS.sectionText).optional(),
    fields: z.array(anyText(SLACK_LIMITS.sectionField)).min(1).max(SLACK_LIMITS.sectionFields).optional(),
    accessory: sectionAccessory.optional(),
    expand: z.boolean().optional(),
  })
  .refine(block => block.text !== undefined || block.fields !== undefined, {
    message: 'must define either `text` or `fields`',
  })

const image = z.strictObject({
  type: z.literal('image'),
  block_id: blockId,
  image_url: z.url().max(SLACK_LIMITS.imageUrl),
  alt_text: boundedText(SLACK_LIMITS.imageText),
  title: plainText(SLACK_LIMITS.imageText).optional(),
})

const rawText = z.strictObject({ type: z.literal('raw_text'), text: z.string().min(1) })
const rawNumber = z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string().min(1) })
const headerCell = z.discriminatedUnion('type', [rawText, rawNumber])
const cell = z.discriminatedUnion('type', [rawText, rawNumber, richTextBlock])
const tableRow = z.array(cell).min(1).max(SLACK_LIMITS.tableColumns)

const table = z.strictObject({
  type: z.literal('table'),
  block_id: blockId,
  rows: z.array(tableRow).min(1).max(SLACK_LIMITS.tableRows),
  column_settings: z
    .array(
      z.strictObject({ align: z.enum(['left', 'center', 'right']).optional(), is_wrapped: z.boolean().optional() }).nullable(),
    )
    .max(SLACK_LIMITS.tableColumns)
    .optional(),
})

/** Slack documents this at docs.slack.dev/reference/block-kit/blocks/data-table-block, "Usage info". */
const dataTable = z
  .strictObject({
    type: z.literal('data_table'),
    block_id: blockId,
    caption: z.string().min(1),
    rows: z.array(tableRow).min(2).max(SLACK_LIMITS.tableRows),
    page_size: z.number().int().min(1).max(SLACK_LIMITS.dataTablePageSize).optional(),
    row_header_column_index: z.number().int().min(0).optional(),
  })
  .refine(block => block.rows[0]?.every(header => headerCell.safeParse(header).success) ?? true, {
    message: 'rich_text cannot be used for header cells',
    path: ['rows', 0],
  })
  .refine(block => block.rows.every(row => row.length === block.rows[0]?.length), {
    message: 'all rows must have the same number of cells',
    path: ['rows'],
  })

const chartLabel = boundedText(SLACK_LIMITS.chartLabel)
const chartSeries = z
  .array(
    z.strictObject({
      name: chartLabel,
      data: z
        .array(z.strictObject({ label: chartLabel, value: z.number() }))
        .min(1)
        .max(SLACK_LIMITS.chartPoints),
    }),
  )
  .min(1)
  .max(SLACK_LIMITS.chartSeries)
const axisConfig = z.strictObject({
  categories: z.array(chartLabel).min(1).max(SLACK_LIMITS.chartPoints),
  x_label: z.string().max(SLACK_LIMITS.chartTitle).optional(),
  y_label: z.string().max(SLACK_LIMITS.chartTitle).optional(),
})

function axisChart<Type extends 'bar' | 'area' | 'line'>(type: Type) {
  return z
    .strictObject({ type: z.literal(type), series: chartSeries, axis_config: axisConfig })
    .refine(
      chart =>
        chart.series.every(
          series => series.data.map(point => point.label).join('\n') === chart.axis_config.categories.join('\n'),
        ),
      { message: 'labels of each series must match the categories of the axis', path: ['series'] },
    )
    .refine(chart => new Set(chart.series.map(series => series.name)).size === chart.series.length, {
      message: 'names of series must be unique',
      path: ['series'],
    })
}

/** Slack documents this at docs.slack.dev/reference/block-kit/blocks/data-visualization-block. */
const dataVisualization = z.strictObject({
  type: z.literal('data_visualization'),
  block_id: blockId,
  title: boundedText(SLACK_LIMITS.chartTitle),
  chart: z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('pie'),
      segments: z
        .array(z.strictObject({ label: chartLabel, value: z.number().positive() }))
        .min(1)
        .max(SLACK_LIMITS.chartSeries),
    }),
    axisChart('bar'),
    axisChart('area'),
    axisChart('line'),
  ]),
})

/** The blocks that the emulator supports in messages, in the form of Slack's reference. It refuses all other types. */
export const blockSchema = z.discriminatedUnion('type', [
  section,
  image,
  table,
  dataTable,
  dataVisualization,
  richTextBlock,
  z.strictObject({ type: z.literal('divider'), block_id: blockId }),
  z.strictObject({ type: z.literal('header'), block_id: blockId, text: plainText(SLACK_LIMITS.header) }),
  z.strictObject({ type: z.literal('markdown'), block_id: blockId, text: boundedText(SLACK_LIMITS.markdownBlocks) }),
  z.strictObject({
    type: z.literal('context'),
    block_id: blockId,
    elements: z.array(contextElement).min(1).max(SLACK_LIMITS.contextElements),
  }),
  z.strictObject({
    type: z.literal('context_actions'),
    block_id: blockId,
    elements: z.array(contextAction).min(1).max(SLACK_LIMITS.contextActions),
  }),
  z.strictObject({
    type: z.literal('actions'),
    block_id: blockId,
    elements: z.array(actionElement).min(1).max(SLACK_LIMITS.actionsElements),
  }),
  z.strictObject({
    type: z.literal('alert'),
    block_id: blockId,
    text: z.discriminatedUnion('type', [plainText(SLACK_LIMITS.textObject), markdownText(SLACK_LIMITS.textObject)]),
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
  }),
])
