import { z } from 'zod'
import { HiddenNames } from '../../src/access/hidden-names.ts'
import { parseAccess } from '../../src/access/read-access-file.ts'
import { matchChoice } from '../../src/agent/ask-back/match-choice.ts'
import { readLineageCommand } from '../../src/agent/lineage/command.ts'
import { readFaultLine } from '../../src/agent/lineage/investigate.ts'
import { unknownLabel, withTableNames } from '../../src/agent/lineage/label-placeholders.ts'
import { isAlreadySaid, mentionsValue } from '../../src/agent/notes/already-said.ts'
import { shortRemark } from '../../src/agent/notes/short-remark.ts'
import { withoutFence } from '../../src/agent/query/generate.ts'
import { asksForMore } from '../../src/agent/understand/asks-for-more.ts'
import { attemptOrPlan } from '../../src/agent/understand/attempt-or-plan.ts'
import { withRealCitations } from '../../src/agent/write/real-citations.ts'
import { shownCell } from '../../src/agent/write/result-table.ts'
import { cellText, resultsPrompt } from '../../src/agent/write/results-prompt.ts'
import { withSafeLinks } from '../../src/agent/write/safe-links.ts'
import { SentenceSplitter } from '../../src/agent/write/sentence-splitter.ts'
import { CitationChecker } from '../../src/answer-check/citation-checker.ts'
import { readUnit } from '../../src/answer-check/figures/unit-text.ts'
import { atOnce } from '../../src/base/at-once.ts'
import { ClewError } from '../../src/base/errors.ts'
import { SIZES } from '../../src/base/sizes.ts'
import { readYaml } from '../../src/base/text/read-yaml.ts'
import { csvLines } from '../../src/bots/actions/csv-text.ts'
import { discordMessageEvent } from '../../src/bots/discord/receive/event.ts'
import { discordInteractionEvent } from '../../src/bots/discord/receive/interaction.ts'
import { commandText } from '../../src/bots/shared/command-text.ts'
import { slackEvent } from '../../src/bots/slack/receive/event.ts'
import { readInteraction } from '../../src/bots/slack/receive/read-interaction.ts'
import { terminalMarkdown } from '../../src/bots/terminal/markdown.ts'
import { terminalStyle } from '../../src/bots/terminal/style.ts'
import { readActionId } from '../../src/chat/action.ts'
import { ResolvedSources, UntracedTreeError } from '../../src/clickhouse/column-lineage/resolved-sources.ts'
import { traceColumns } from '../../src/clickhouse/column-lineage/trace-columns.ts'
import { readFilters } from '../../src/clickhouse/filters/read-filters.ts'
import { readEngineRefusal } from '../../src/clickhouse/guard/ask-engine.ts'
import { patternSize } from '../../src/clickhouse/guard/calls/pattern-size.ts'
import { findTokenFault, renamesColumns } from '../../src/clickhouse/guard/canonical-check.ts'
import { MatcherMarks } from '../../src/clickhouse/guard/matcher-marks.ts'
import { findTextFault } from '../../src/clickhouse/guard/source-text.ts'
import { readQueryTree } from '../../src/clickhouse/guard/tree/read-query-tree.ts'
import { UnusualNames } from '../../src/clickhouse/guard/unusual-names.ts'
import { tableNameOf } from '../../src/clickhouse/loading/data-file.ts'
import { faultyRow, fileFault } from '../../src/clickhouse/loading/file-fault.ts'
import { readResolvedTree } from '../../src/clickhouse/resolved-tree.ts'
import { failureOfAnswer, plainSentence, withoutInternals } from '../../src/clickhouse/server-failure.ts'
import { explainFailure } from '../../src/clickhouse/validation/explain-failure.ts'
import { orRefusal } from '../../src/combine/refusal.ts'
import { readContract } from '../../src/combine/types.ts'
import { AnswerBudget } from '../../src/llm/answer-budget.ts'
import { fenceData } from '../../src/llm/data-fence.ts'
import type { RequestFeature } from '../../src/llm/endpoint/capabilities.ts'
import { readComplaint } from '../../src/llm/endpoint/refusal-reading.ts'
import { toolCallsInText } from '../../src/llm/endpoint/tool-calls-in-text.ts'
import { ModelError } from '../../src/llm/error.ts'
import { streamStructured } from '../../src/llm/json/structured-output.ts'
import type { LanguageModel } from '../../src/llm/language-model.ts'
import { PLATFORM_REGISTRY } from '../../src/main/platform-registry.ts'
import { parseJobDefinition } from '../../src/pipelines/jobs/definition.ts'
import { OperationLog } from '../../src/pipelines/log/operation-log.ts'
import { namedTables } from '../../src/pipelines/named-tables.ts'
import { StateDatabase, type StateWarehouse } from '../../src/pipelines/state-database.ts'
import { parseNodeTree } from '../../src/postgres/guard/node-tree.ts'
import { Refusal } from '../../src/postgres/guard/refusal.ts'
import { readSqlText } from '../../src/postgres/guard/sql-text.ts'
import { numericForm, parseArray } from '../../src/postgres/values/value-form.ts'
import { parseSources } from '../../src/sources/read-sources-file.ts'
import { buildSourceIndex } from '../../src/sources/source-index.ts'
import { readCommand } from '../../src/subscriptions/chat-command.ts'
import type { WarehouseError } from '../../src/warehouse/error.ts'
import type { TreeNode } from '../../src/warehouse/query-tree.ts'
import { buildLexicon } from '../../src/warehouse/retrieval/lexicon.ts'
import type { Schema, TableSchema } from '../../src/warehouse/schema.ts'
import { readColumnType } from '../../src/warehouse/sql/column-type.ts'
import { splitTokens } from '../../src/warehouse/sql/sql-tokens.ts'
import { languageFor } from '../../src/words/language.ts'
import { queryReport } from '../support/query-report.ts'
import { renderDiscordReply, renderSlackReply } from '../support/render-at-once.ts'
import { FIGURES, JOBS, JSONS, MARKDOWN, SENTENCES, type Seed, SQL, TREES, YAML } from './seeds.ts'

export interface Parser {
  readonly name: string
  /** The maximum length of a text that this parser may get, in characters. */
  readonly longest: number
  readonly read: (text: string) => unknown
  /** Additional seeds for this parser. A seed is a text that is repeated. */
  readonly seeds?: readonly Seed[]
}

const SLACK = { team: 'T1', user: 'U1', botId: 'B1' }
const SLACK_CONTEXT = { self: SLACK, apiUrl: undefined, now: () => 0 }
const SLACK_FORM = { type: 'view_submission', user: { id: 'U1' } }
const SLACK_ORIGIN = JSON.stringify({ channel: 'C1', thread: '1.000000', message: '1.000000', order: 1 })
const FEATURES = new Set<RequestFeature>(['tools', 'response_format', 'temperature', 'token_limit', 'stream_options'])
const DISCORD_PRESS = { id: '1', token: 't', channel_id: '1', user: { id: '2' }, message: { id: '3' } }
const NO_CHANNELS = { known: () => undefined, find: async () => undefined }
const LINKS = { allowedLinkHosts: ['a.b'] }
const VIEW = { style: terminalStyle(false), width: 80, wraps: true }
/** The maximum length of the SQL that Clew writes for a job, in characters. */
const JOB_SQL = 65_536
/** The maximum length of a sentence for the citation check. */
const LONGEST_UNIT = 4_000
/** The maximum length of a template in the operation log, in characters. */
const LOGGED = 100_000
/** The length of a YAML file that a person may write. */
const FILE = 16_000

const SOURCES = atOnce(
  buildSourceIndex(
    ['crm', 'crm_partners', 'erp'].map(id => ({ id, description: 'Orders', tables: [`${id}.orders`, `${id}.customers`] })),
    buildLexicon(),
  ),
)

const REPORT = queryReport({
  columns: [
    { name: 'city', type: 'String' },
    { name: 'devices', type: 'UInt64' },
  ],
  rows: [
    ['Hamburg', '31'],
    ['Bremen', '17'],
    ['Kassel', '5'],
  ],
})
const HIDDEN = new HiddenNames(
  ['salaries', 'odd name', 'x.y'].map(name => ({ database: 'hr', name })),
  [],
)
const NO_TABLES = { database: 'a', tables: [] } as unknown as Schema
const NO_GRAPH = { find: () => undefined }
const SCOPE = {
  database: 'a',
  tables: new Set(['a.b']),
  columns: new Map([['a.b', { readable: new Set(['c']), restricted: new Set(['d']), byNameOnly: new Set<string>() }]]),
}
const QUERY = { canonical: 'SELECT 1', tables: [] }
/** Error codes with messages that Clew parses. Each code has a parser of its own. */
const SERVER_CODES = [43, 46, 47, 50, 53, 60, 62, 81, 184, 207, 215, 386]

export const PARSERS: readonly Parser[] = [
  {
    name: 'SQL in a fence',
    longest: SIZES.modelAnswer,
    read: withoutFence,
    seeds: [
      ['```sql', ' '],
      ['```', 'a'],
      ['```sql\n', 'a\n', '```'],
      ['```\n', ' ', '\n```'],
    ],
  },
  {
    name: 'labels of tables in a query',
    longest: SIZES.toolArguments,
    read: text => [withTableNames(text, NO_GRAPH), unknownLabel(text, NO_GRAPH)],
    seeds: ['{{ a }}', '{{', '{{ a ', ['{{', ' '], ['{{', 'a']],
  },
  {
    name: 'sentences of a whole answer',
    longest: SIZES.modelAnswer,
    read: text => sentences([text]),
    seeds: SENTENCES,
  },
  { name: 'sentences that come by characters', longest: SIZES.modelAnswer, read: sentences, seeds: SENTENCES },
  {
    name: 'fence of data',
    longest: SIZES.modelAnswer,
    read: text => fenceData('data', text),
    seeds: ['</data-0123456789abcdef>', '< / ', '<|', '<\\', '<\\ ', '<a-', '</s>', '[/INST]', '[\\', ['<', '\\'], ['<', ' ']],
  },
  { name: 'unit of an answer', longest: SIZES.modelAnswer, read: readUnit, seeds: FIGURES },
  {
    name: 'citations and workings of a long unit',
    longest: LONGEST_UNIT,
    read: text => checker().check(text),
    seeds: FIGURES,
  },
  {
    name: 'citations and workings of a sentence',
    longest: LONGEST_UNIT / 4,
    read: text => checker().check(text),
    seeds: FIGURES,
  },
  { name: 'citations and workings of an answer', longest: SIZES.modelAnswer, read: checkedAnswer, seeds: FIGURES },
  {
    name: 'citations that are real',
    longest: SIZES.modelAnswer,
    read: text => withRealCitations(text, new Set(['Q1'])),
    seeds: FIGURES,
  },
  { name: 'safe links', longest: SIZES.modelAnswer, read: text => withSafeLinks(text, LINKS.allowedLinkHosts), seeds: MARKDOWN },
  {
    name: 'Markdown for Slack',
    longest: SIZES.modelAnswer,
    read: markdown => renderSlackReply({ kind: 'answer', markdown }, LINKS),
    seeds: MARKDOWN,
  },
  {
    name: 'Markdown for Discord',
    longest: SIZES.modelAnswer,
    read: markdown => renderDiscordReply({ kind: 'answer', markdown }, LINKS),
    seeds: MARKDOWN,
  },
  {
    name: 'Markdown for the terminal',
    longest: SIZES.modelAnswer,
    read: text => terminalMarkdown(text, VIEW),
    seeds: MARKDOWN,
  },
  {
    name: 'post of Slack',
    longest: SIZES.bodyBytes,
    read: text =>
      slackEvent({ event: { type: 'message', channel: 'C1', channel_type: 'im', user: 'U2', ts: '1.000000', text } }, SLACK),
    seeds: ['<@U1> ', '<@U1|a> ', '<http://a|b> ', '<!date^', '<a:', '&amp;', '<!subteam^S1'],
  },
  {
    name: 'form of Slack',
    longest: SIZES.bodyBytes,
    read: text => readInteraction({ ...SLACK_FORM, view: slackView('ask_about_message', SLACK_ORIGIN, text) }, SLACK_CONTEXT),
  },
  {
    name: 'state of a form of Slack',
    longest: SIZES.bodyBytes,
    read: text => readInteraction({ ...SLACK_FORM, view: slackView(text, text, text) }, SLACK_CONTEXT),
    seeds: JSONS,
  },
  {
    name: 'command of Slack',
    longest: SIZES.bodyBytes,
    read: text => readInteraction({ command: '/ask', text, channel_id: 'C1', user_id: 'U1' }, SLACK_CONTEXT),
  },
  { name: 'id of a press', longest: SIZES.bodyBytes, read: readActionId, seeds: ['clew:', ['clew:choose:', 'a', ':1']] },
  {
    name: 'post of Discord',
    longest: SIZES.bodyBytes,
    read: content =>
      discordMessageEvent(
        { id: '1', channel_id: '1', channel_type: 1, type: 0, content, author: { id: '2' } },
        { user: '3', roleIn: () => undefined, isIn: () => true },
        NO_CHANNELS,
      ),
    seeds: ['<@1> ', '<@&1> ', '<#1> ', '<:a:1> ', '<t:1:R> ', '</a:1> ', '<https://a> ', '</a', '<t:', '<:a'],
  },
  {
    name: 'form of Discord',
    longest: SIZES.bodyBytes,
    read: value =>
      discordInteractionEvent(
        { ...DISCORD_PRESS, type: 5, data: { custom_id: 'clew:unhelpful:r', components: [{ component: { value } }] } },
        NO_CHANNELS,
      ),
  },
  {
    name: 'press of Discord',
    longest: SIZES.bodyBytes,
    read: id => discordInteractionEvent({ ...DISCORD_PRESS, type: 3, data: { custom_id: id } }, NO_CHANNELS),
  },
  {
    name: 'slash command',
    longest: SIZES.message,
    read: text => [commandText('ask', { question: text }), commandText('lineage', { job: text, question: text })],
  },
  {
    name: 'subscriptions command',
    longest: SIZES.question,
    read: text => readCommand(`/subscriptions ${text}`),
    seeds: ['edit sub_1 '],
  },
  { name: 'lineage command', longest: SIZES.question, read: text => readLineageCommand(`lineage ${text}`), seeds: ['--deep '] },
  {
    name: 'choice in words',
    longest: SIZES.question,
    read: text => matchChoice(text, { kind: 'need_confirm', choices: [{ label: 'Yes', value: 'run' }] }),
    seeds: ['please, ', 'yes, '],
  },
  { name: 'language of a question', longest: SIZES.question, read: question => languageFor({ question }) },
  {
    name: 'asks for more',
    longest: SIZES.question,
    read: text => [asksForMore(text, ''), asksForMore('', text)],
    seeds: ['(a', '(a) ', 'all three '],
  },
  {
    name: 'in own words',
    longest: SIZES.question,
    read: text => attemptOrPlan({ asked: text, understood: text }, null, () => {}),
  },
  {
    name: 'said already',
    longest: SIZES.modelAnswer,
    read: text => [isAlreadySaid(text.slice(0, 1_000), text), mentionsValue('a', text), shortRemark(text)],
    seeds: ['1.', 'a-1', 'a a1 '],
  },
  {
    name: 'words of a failed query',
    longest: SIZES.engineMessage,
    read: readFailure,
    seeds: [
      ...['Code: 1. DB::Exception: ', '(VERSION) ', '(version ', 'Stack trace:', ' (in file', '/a', '/a/', 'a.b:', '[::1]:1 '],
      ...['Received from ', 'a:', 'a-', '.(', '(A', 'Expected one of: ', 'In scope SELECT '],
      ["Unknown expression identifier 'a' in scope ", 'a, '],
      ['Function with name `a` does not exist. ', 'Maybe you meant: ['],
    ],
  },
  {
    name: 'words of a broken file',
    longest: SIZES.engineMessage,
    read: text => [faultyRow(warehouseError(text)), fileFault('a.csv', warehouseError(text), 2)],
    seeds: [
      "expected '\"' before: '",
      'Expected end of line ',
      'Duplicate column name "',
      " for column 'a' in file ",
      '(in file/uri ',
    ],
  },
  {
    name: "words of a model's endpoint",
    longest: SIZES.engineMessage,
    read: message =>
      readComplaint(
        { status: 400, code: undefined, param: undefined, message, retryAfterMs: undefined, cause: undefined },
        FEATURES,
      ),
    seeds: ['model ', 'model not '],
  },
  {
    name: 'hidden names',
    longest: SIZES.modelAnswer,
    read: text => [HIDDEN.areIn(text), HIDDEN.linesWithout(text)],
    seeds: ['a . ', ' .', 'hr . salarie ', '"hr".', '\n '],
  },
  { name: 'SQL as it came', longest: SIZES.sqlBytes, read: findTextFault, seeds: SQL },
  { name: 'SQL as the engine prints it', longest: SIZES.sqlBytes, read: readCanonical, seeds: SQL },
  { name: 'unusual names of a query', longest: SIZES.sqlBytes, read: readUnusualNames },
  {
    name: 'regular expression of a query',
    longest: SIZES.sqlBytes,
    read: patternSize,
    seeds: ['[a', 'a{1,2}', '\\Q', '[[:a:]', '(a)', ['[', '\\']],
  },
  { name: 'tree of the guard', longest: JOB_SQL, read: text => readQueryTree(text.split('\n')), seeds: TREES },
  {
    name: 'SQL for Postgres',
    longest: SIZES.sqlBytes,
    read: text => orRefused(() => readSqlText(text, () => false)),
    seeds: [...SQL, '$a$', ['$$', '$'], "E'\\'", '"a"', '/*', ['SELECT ', 'a.'], ['SELECT ', "'a'"], ['SELECT ', '--\n']],
  },
  {
    name: 'tree of Postgres',
    longest: JOB_SQL,
    read: parseNodeTree,
    seeds: ['{A :b ', ['{A :b (', '(i 1) ', ')}'], ['{A :b ', '{C :d 1} ', '}'], '\\ ', ['{A', ' :b', '}']],
  },
  { name: 'filters of a query', longest: JOB_SQL, read: text => readFilters(text.split('\n')), seeds: TREES },
  { name: 'columns that feed a query', longest: JOB_SQL, read: tracedColumns, seeds: TREES },
  { name: 'tables that a query names', longest: JOB_SQL, read: text => namedTables(text.split('\n')), seeds: TREES },
  { name: 'definition of a view', longest: SIZES.sqlBytes, read: readView, seeds: SQL },
  { name: 'JSON of a model', longest: SIZES.modelAnswer, read: text => readJson([text]), seeds: JSONS },
  {
    name: 'JSON that comes in pieces',
    longest: SIZES.modelAnswer,
    read: text => readJson(text.match(/.{1,16}/gsu) ?? []),
    seeds: JSONS,
  },
  {
    name: 'calls of tools in a text',
    longest: SIZES.modelAnswer,
    read: text => toolCallsInText(text, new Set(['a'])),
    seeds: JSONS,
  },
  {
    name: 'findings',
    longest: SIZES.modelAnswer,
    read: readFaultLine,
    seeds: ['FAULT: a\n', 'FAULT', '> * ', ['FAULT: ', ' '], ['FAULT: ', '.', 'a']],
  },
  { name: 'cell of a result', longest: SIZES.cell, read: shownCells, seeds: ['=', ';=', '; ', ';\t'] },
  {
    name: 'array of Postgres',
    longest: SIZES.cell,
    read: readArray,
    seeds: ['{', '}', ',', '{"', '"\\', ['{', 'NULL,', '}'], ['{"', '\\"', '"}'], ['[1:2]', '=']],
  },
  {
    name: 'number of Postgres',
    longest: SIZES.cell,
    read: text => {
      const form = numericForm(undefined)
      form.observe(text)
      return form.cell(text)
    },
    seeds: ['0', '1.', ['1.', '0'], ['-', '9'], ['1.', '0', 'x']],
  },
  {
    name: 'types of a result to combine',
    longest: SIZES.toolArguments,
    read: text => orRefusal(() => readContract([{ name: 'a', type: 'datetime' }], [{ name: 'a', type: text }])),
    seeds: [
      ['Enum8(', ')'],
      ['LowCardinality(', 'Nullable('],
      ["DateTime('", 'a'],
    ],
  },
  {
    name: 'type of a column',
    longest: SIZES.cell,
    read: readColumnType,
    seeds: ['Array(', 'Nullable(', 'Tuple(', 'Map(', ['Enum8(', "'a' = 1, ", ')'], ["Enum8('", "\\'", ')']],
  },
  {
    name: 'names in a file that is loaded',
    longest: SIZES.cell,
    read: text => [tableNameOf({ path: `/${text.replaceAll('/', '')}.csv`, ending: '.csv' }), readComments(text)],
    seeds: ['_a'],
  },
  {
    name: 'access file',
    longest: FILE,
    read: text => refused(() => parseAccess(text, 'access.yaml', PLATFORM_REGISTRY)),
    seeds: YAML,
  },
  {
    name: 'sources file',
    longest: FILE,
    read: text => refused(() => parseSources(text, 'sources.yaml', () => 'http://host')),
    seeds: [...YAML, ['sources: {a: {url: $A, databases: [b], description: c, join_keys: ["', 'a/b.c.d = ', '"]}}']],
  },
  {
    name: 'sources that a question names',
    longest: SIZES.question,
    read: text => SOURCES.named(text).concat(SOURCES.score(text).map(String)),
    seeds: ['crm ', 'in the crm partners ', 'crm_', 'orders ', 'ordres '],
  },
  { name: 'definition of a job', longest: FILE, read: text => refused(() => parseJobDefinition(text)), seeds: JOBS },
  { name: 'row of the operation log', longest: LOGGED, read: loggedOperations, seeds: JSONS },
]

function slackView(callback: string, metadata: string, value: string) {
  return { id: 'V1', callback_id: callback, private_metadata: metadata, state: { values: { words: { words: { value } } } } }
}

function sentences(pieces: Iterable<string>): readonly string[] {
  const splitter = new SentenceSplitter()
  return [...[...pieces].flatMap(piece => splitter.add(piece)), ...splitter.end()]
}

function checker(): CitationChecker {
  return new CitationChecker([REPORT], { question: 'How many devices has each city?', askedAt: '2026-11-20T13:00:00Z' })
}

/** Runs the citation check on a text. The check refuses a text with too many sentences. */
function checkedAnswer(text: string): void {
  const own = checker()
  for (const unit of sentences([text]).slice(0, 1_000)) own.check(unit)
  own.end()
}

function warehouseError(text: string): WarehouseError {
  return failureOfAnswer({ status: 500, code: '62', text, queryId: 'q' })
}

function readFailure(text: string): void {
  failureOfAnswer({ status: 500, code: undefined, text, queryId: 'q' })
  const error = warehouseError(`Code: 62. DB::Exception: ${text}`)
  plainSentence(error)
  withoutInternals(text)
  readEngineRefusal(error)
  for (const serverCode of SERVER_CODES) explainFailure({ serverCode, message: text }, QUERY, NO_TABLES)
}

function readCanonical(text: string): void {
  const tokens = splitTokens(text) ?? []
  findTokenFault(tokens)
  renamesColumns(tokens)
  const marks = new MatcherMarks(text, tokens, SCOPE)
  const names = new UnusualNames(marks.text, marks.tokens)
  names.writtenText(names.text)
}

/** Reads a text that contains as many quoted aliases as fit into it. */
function readUnusualNames(text: string): void {
  const written = Array.from({ length: text.length / 14 }, (_, at) => `\`a,${at}\``)
  const canonical = `SELECT ${written.map(name => `1 AS ${name}`).join(', ')}`
  const names = new UnusualNames(canonical, splitTokens(canonical) ?? [])
  const standIns = names.text.match(/renamed_\d+_/g) ?? []
  const leaves = standIns.map(
    (alias): TreeNode => ({ kind: 'CONSTANT', attributes: { alias, constant_value: 'UInt64_1' }, branches: [] }),
  )
  const root: TreeNode = { kind: 'QUERY', attributes: {}, branches: leaves.map(node => ({ heading: 'PROJECTION', node })) }
  names.findFault(root)
  names.writtenTree(root)
  names.writtenText(names.text)
}

function tracedColumns(text: string): void {
  const root = readResolvedTree(text.split('\n'))
  if (root === undefined) return
  try {
    traceColumns(root, { sources: new ResolvedSources(root), tableColumns: new Map(), database: 'a' })
  } catch (error) {
    if (!(error instanceof UntracedTreeError)) throw error
  }
}

function readView(viewDefinition: string): HiddenNames {
  return new HiddenNames([], [{ database: 'a', name: 'b', viewDefinition } as TableSchema])
}

async function readJson(pieces: Iterable<string>): Promise<void> {
  const whole = [...pieces]
  const model = {
    async *stream() {
      for (const text of whole) yield { kind: 'text' as const, text }
      yield { kind: 'completed' as const, completion: { text: whole.join('') } }
    },
  } satisfies LanguageModel
  const question = z.object({ question: z.string() })
  const schema = z.object({ sql: z.string(), data_questions: z.array(question) })
  const output = { schema, field: 'sql', elements: { property: 'data_questions', schema: question } }
  const budget = new AnswerBudget()
  budget.takeRepeat()
  const events = streamStructured(model, { step: 'decompose', messages: [], budget }, output, new AbortController().signal)
  try {
    for await (const _ of events);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
  }
}

function shownCells(text: string): void {
  cellText(text)
  shownCell([text, 0.123456789123])
  for (const _ of csvLines({ columns: [{ name: text, type: 'String' }], rows: [[text], [[text]]] }));
  resultsPrompt([{ ...REPORT, columns: [{ name: text, type: text }], rows: [[text]] }])
}

function readComments(text: string): unknown {
  return readYaml(text, z.record(z.string(), z.string()))
}

/** Calls a parser that may throw, because an operator may have written the text wrongly. */
function refused(read: () => unknown): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof ClewError)) throw error
  }
}

function readArray(text: string): void {
  try {
    parseArray(text)
  } catch (error) {
    // Postgres nests at most six levels. The library's parser calls itself for each, so thousands exceed the stack.
    if (!(error instanceof RangeError) && !String(error).includes('not balanced')) throw error
  }
}

function loggedOperations(text: string): Promise<unknown> {
  const names = ['job_id', 'task_id', 'operation_id', 'operation', 'result_database', 'result_table', 'template', 'sql']
  const texts = [...names, 'column_lineage', 'reads', 'started_at', 'finished_at', 'error']
  const row = {
    ...Object.fromEntries(texts.map(name => [name, text])),
    kind: 'operation',
    inputs: [{ role: text, database: text, name: text }],
    rows: '1',
    bytes: '1',
  }
  const columns = Object.keys(row).map(name => ({ name, type: 'String' }))
  const warehouse = { readOwn: async () => ({ columns, rows: [Object.values(row)] }) } as unknown as StateWarehouse
  return new OperationLog(new StateDatabase(warehouse, 'a')).ofJob('a', new AbortController().signal)
}

/** The guard of Postgres refuses by throwing. */
function orRefused(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return error.verdict
    throw error
  }
}
