/** Matches a line in the format of `prompts/lineage.md`, with or without emphasis. */
const FAULT_LINE = /^[ \t>*_`-]*FAULT[*_`]*:[ \t]*(.*)/gm

/** Separates the findings from the line that names the faulty table (`FAULT: vendors`). A model writes this line, so the table may not exist. */
export function readFaultLine(written: string): { readonly findings: string; readonly table: string | undefined } {
  const named = [...written.matchAll(FAULT_LINE)].at(-1)?.[1] ?? ''
  const table = named.replace(/^[\s`*"'{]+/, '').replace(/(?<![\s`*"'}.])[\s`*"'}.]+$/, '')
  return { findings: written.replace(FAULT_LINE, '').trim(), table: table === '' ? undefined : table }
}
