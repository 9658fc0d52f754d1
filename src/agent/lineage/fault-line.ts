/** The format of `prompts/lineage.md`, with any emphasis. */
const FAULT_LINE = /^[ \t>*_`-]*FAULT[*_`]*:[ \t]*(.*)/gm

/** Separates the line that names the faulty table (`FAULT: vendors`) from the text for people. A model writes it, so the table may not exist. */
export function readFaultLine(written: string): { readonly findings: string; readonly table: string | undefined } {
  const named = [...written.matchAll(FAULT_LINE)].at(-1)?.[1] ?? ''
  const table = named.replace(/^[\s`*"'{]+/, '').replace(/(?<![\s`*"'}.])[\s`*"'}.]+$/, '')
  return { findings: written.replace(FAULT_LINE, '').trim(), table: table === '' ? undefined : table }
}
