/** As `prompts/lineage.md` asks for it, however it is set off. */
const FAULT_LINE = /^[ \t>*_`-]*FAULT[*_`]*:[ \t]*(.*)/gm

/**
 * Parts the line in which findings name the table where the fault is (`FAULT: vendors`) from what people are to read. It is what a model wrote: whether there is such a table is for the
 * graph to tell.
 */
export function readFaultLine(written: string): { readonly findings: string; readonly table: string | undefined } {
  const named = [...written.matchAll(FAULT_LINE)].at(-1)?.[1] ?? ''
  const table = named.replace(/^[\s`*"'{]+/, '').replace(/(?<![\s`*"'}.])[\s`*"'}.]+$/, '')
  return { findings: written.replace(FAULT_LINE, '').trim(), table: table === '' ? undefined : table }
}
