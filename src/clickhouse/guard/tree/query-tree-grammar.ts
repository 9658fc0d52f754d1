import type { NodeKind } from '../../../warehouse/query-tree.ts'

/**
 * The grammar of `EXPLAIN QUERY TREE run_passes = 0` in ClickHouse 26.7 (src/Analyzer/*Node.cpp, `dumpTreeImpl`). For each kind
 * of node: its attributes in their order, and the headings of its children. Anything else is refused.
 */
export interface NodeGrammar {
  /** Matches the node's line without its indent. The group `id` is the node's number; each other group is an attribute. */
  readonly line: RegExp
  /** The allowed headings below the node, and whether a LIST or a single node must follow each. */
  readonly headings: Readonly<Record<string, 'list' | 'node'>>
  /** The only heading that may occur several times below one node. */
  readonly repeated?: string
}

/** Matches a name. A name cannot contain a comma or a line break, because the token check refuses these. */
const NAME = '[^,]+'
const WORDS = '[A-Za-z_ ]+'
const RATIO = '\\d+(?: / \\d+)?'

const ALIAS = attribute('alias', NAME)
const FLAG = (key: string) => attribute(key, '[01]')
const MODIFIERS = attribute('final', '[01]') + attribute('sample_size', RATIO) + attribute('sample_offset', RATIO)

export const NODE_GRAMMAR: Readonly<Record<NodeKind, NodeGrammar>> = {
  QUERY: {
    line: line(
      'QUERY',
      ALIAS,
      ...['is_subquery', 'is_cte', 'is_materialized', 'is_recursive_with', 'is_distinct', 'is_limit_with_ties'].map(FLAG),
      ...['is_group_by_with_totals', 'is_group_by_all', 'is_order_by_all', 'is_limit_by_all'].map(FLAG),
      attribute('group_by_type', 'rollup|cube|grouping_sets'),
      attribute('cte_name', NAME),
    ),
    headings: {
      WITH: 'list',
      PROJECTION: 'list',
      'JOIN TREE': 'node',
      PREWHERE: 'node',
      WHERE: 'node',
      'GROUP BY': 'list',
      HAVING: 'node',
      WINDOW: 'list',
      QUALIFY: 'node',
      'ORDER BY': 'list',
      INTERPOLATE: 'list',
      'LIMIT BY LIMIT': 'node',
      'LIMIT BY OFFSET': 'node',
      'LIMIT BY': 'list',
      LIMIT: 'node',
      OFFSET: 'node',
    },
  },
  UNION: {
    line: line(
      'UNION',
      ALIAS,
      ...['is_subquery', 'is_cte', 'is_materialized', 'is_recursive_cte'].map(FLAG),
      attribute('cte_name', NAME),
      required('union_mode', '[A-Z_]+'),
    ),
    headings: { QUERIES: 'list' },
  },
  LIST: { line: line('LIST', required('nodes', '\\d+')), headings: {} },
  IDENTIFIER: { line: line('IDENTIFIER', ALIAS, required('identifier', NAME), MODIFIERS), headings: {} },
  CONSTANT: {
    line: line('CONSTANT', ALIAS, required('constant_value', '[^\\n]*'), required('constant_value_type', '[^\\n]+')),
    headings: {},
  },
  FUNCTION: {
    line: line(
      'FUNCTION',
      ALIAS,
      required('function_name', NAME),
      required('function_type', 'ordinary|aggregate|window'),
      '(?:, nulls_action : (?:IGNORE|RESPECT)_NULLS)?',
    ),
    headings: { PARAMETERS: 'list', ARGUMENTS: 'list', WINDOW: 'node' },
  },
  LAMBDA: { line: line('LAMBDA', ALIAS), headings: { 'ARGUMENTS ': 'list', 'EXPRESSION ': 'node' } },
  MATCHER: {
    line: line(
      'MATCHER',
      required('matcher_type', 'ASTERISK|COLUMNS_LIST|COLUMNS_REGEXP'),
      attribute('qualified_identifier', NAME),
      '(?:, columns_pattern: (?<columns_pattern>.*)|, column_identifiers: (?<column_identifiers>.+))?',
    ),
    headings: {},
  },
  'APPLY COLUMN TRANSFORMER': {
    line: line('APPLY COLUMN TRANSFORMER', required('apply_transformer_type', 'LAMBDA|FUNCTION')),
    headings: { EXPRESSION: 'node' },
  },
  'EXCEPT COLUMN TRANSFORMER': {
    line: line(
      'EXCEPT COLUMN TRANSFORMER',
      required('except_transformer_type', 'REGEXP|COLUMN_LIST'),
      '(?:, pattern: (?<pattern>.*)|, identifiers: (?<identifiers>.+))',
    ),
    headings: {},
  },
  'REPLACE COLUMN TRANSFORMER': { line: line('REPLACE COLUMN TRANSFORMER'), headings: {} },
  SORT: {
    line: line(
      'SORT',
      required('sort_direction', 'ASCENDING|DESCENDING'),
      attribute('nulls_sort_direction', 'ASCENDING|DESCENDING'),
      attribute('collator', '[A-Za-z0-9_@=;-]+'),
      required('with_fill', '[01]'),
    ),
    headings: { EXPRESSION: 'node', 'FILL FROM': 'node', 'FILL TO': 'node', 'FILL STEP': 'node', 'FILL STALENESS': 'node' },
  },
  INTERPOLATE: { line: line('INTERPOLATE'), headings: { EXPRESSION: 'node', INTERPOLATE_EXPRESSION: 'node' } },
  WINDOW: {
    line: line(
      'WINDOW',
      ALIAS,
      attribute('parent_window_name', NAME),
      required('frame_type', WORDS),
      required('frame_begin_type', WORDS),
      required('frame_end_type', WORDS),
    ),
    headings: { 'PARTITION BY': 'list', 'ORDER BY': 'list', 'FRAME BEGIN OFFSET': 'node', 'FRAME END OFFSET': 'node' },
  },
  JOIN: {
    line: line('JOIN', attribute('locality', WORDS), attribute('strictness', WORDS), required('kind', WORDS), FLAG('is_natural')),
    headings: { 'LEFT TABLE EXPRESSION': 'node', 'RIGHT TABLE EXPRESSION': 'node', 'JOIN EXPRESSION': 'node' },
  },
  'CROSS JOIN': { line: line('CROSS JOIN'), headings: { 'TABLE EXPRESSION': 'node' }, repeated: 'TABLE EXPRESSION' },
  ARRAY_JOIN: {
    line: line('ARRAY_JOIN', required('is_left', '[01]')),
    headings: { 'TABLE EXPRESSION': 'node', 'JOIN EXPRESSIONS': 'list' },
  },
  TABLE_FUNCTION: {
    line: line('TABLE_FUNCTION', ALIAS, required('table_function_name', NAME), MODIFIERS),
    headings: { ARGUMENTS: 'list' },
  },
}

/** Matches a heading that contains a column name. Examples: `EXPRESSION day` under SORT, `EXPRESSION day ` under INTERPOLATE. */
export const NAMED_HEADING = /^EXPRESSION .+$/

function line(kind: string, ...attributes: readonly string[]): RegExp {
  // The lookahead rejects text of several lines at once. Otherwise the rest of the pattern would be tried at every position.
  return new RegExp(`^(?=[^\\n]*$)${kind} id: (?<id>\\d+)${attributes.join('')}$`)
}

function required(key: string, value: string): string {
  return `, ${key}: (?<${key}>${value})`
}

function attribute(key: string, value: string): string {
  return `(?:${required(key, value)})?`
}
