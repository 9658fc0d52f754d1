/** Query parameters travel in the URL, which a server or proxy may limit to some KB. */
const PART_SIZE = 200

/** Queries a long list in parts and returns all rows. */
export async function queryInParts<Row>(
  list: readonly string[],
  ask: (part: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let at = 0; at < list.length; at += PART_SIZE) rows.push(...(await ask(list.slice(at, at + PART_SIZE))))
  return rows
}
