import { splitWords, stem } from './words.ts'

/**
 * Words in table names that suggest a copy, with penalties that lower the table's rank. A penalty of 1 has the effect of ten
 * times fewer rows.
 */
const BEHIND: Readonly<Record<string, number>> = {
  ...penalty(
    5,
    'tmp temp bak backup old copy test tests testing dev qa sandbox deprecated obsolete broken trash delete deleted unused my playground scratch',
  ),
  ...penalty(3, 'archive archived legacy history fixed v0 v1 retry errors dedup deduplicated'),
  ...penalty(
    2,
    'raw landing stg stage staging src source ods bronze ingest import load int intermediate tgt rpt report training features',
  ),
  ...penalty(
    0.3,
    'v2 v3 v4 v5 new latest current final clean silver gold prod dwh mart dim dimension fct fact tbl table vw view eu us uk de fr apac emea',
  ),
}

function penalty(by: number, words: string): Readonly<Record<string, number>> {
  return Object.fromEntries(words.split(' ').map(word => [word, by]))
}

/** A table's name, split into words, and a rank that says how likely the table is kept up to date. */
export interface TableStanding {
  /** The stems of the words that name the subject. For `tmp_shop_orders_2021`, these are [shop, order]. */
  readonly subject: readonly string[]
  /** The words in which copies differ. For `tmp_shop_orders_2021`, these are [tmp, 2021]. */
  readonly variant: readonly string[]
  /** The rank. The higher it is, the more likely the table is kept up to date. */
  readonly standing: number
}

/** Ranks a table by its name, comment and row count. Names that suggest a copy lower the rank. */
export function readStanding(table: {
  readonly database: string
  readonly name: string
  readonly comment: string
  readonly rows: number | null
}): TableStanding {
  const words = splitWords(table.name)
  const variant = words.filter(isVariant)
  const subject = words.filter(word => !isVariant(word)).map(stem)
  const behind = [...variant, ...splitWords(table.database)].reduce((sum, word) => sum + behindBy(word), 0)
  // A view has no row count. It gets a rank between a small and a large table.
  const size = table.rows === null ? 4 : Math.log10(table.rows + 1)
  return {
    // If the name has only words such as `test`, there is no other subject, so these words are the subject.
    subject: subject.length === 0 ? words.map(stem) : subject,
    variant,
    standing: size + (table.comment === '' ? 0 : 1.5) - behind,
  }
}

function isVariant(word: string): boolean {
  return behindBy(word) > 0
}

/**
 * Returns the penalty of a word in a table's name. Numbers have one too: a table with a year has only a part of the rows, and a
 * table with a date is a copy of one day.
 */
function behindBy(word: string): number {
  if (/^\d+$/.test(word)) return word.length >= 4 ? 2 : 1
  return Object.hasOwn(BEHIND, word) ? (BEHIND[word] ?? 0) : 0
}
