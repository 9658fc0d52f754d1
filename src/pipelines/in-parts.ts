/** Parameters of a query travel in its address, which a server or what stands before it may cut at some KB. */
const PART_SIZE = 200

/** The rows of a query that is asked for a list, in parts of bearable length. */
export async function inParts<Row>(
  list: readonly string[],
  ask: (part: readonly string[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (let at = 0; at < list.length; at += PART_SIZE) rows.push(...(await ask(list.slice(at, at + PART_SIZE))))
  return rows
}
