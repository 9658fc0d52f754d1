import { html, raw } from 'hono/html'
import type { Cell } from '../warehouse/warehouse.ts'
import { EVAL_LIMITS } from './limits.ts'
import type { EvalReport, GroupReport } from './report.ts'
import type { EvalTranscript } from './transcript.ts'

type Html = ReturnType<typeof html>

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; color: #1d2733; }
table { border-collapse: collapse; font-size: 13px; } th, td { border: 1px solid #d5dbe2; padding: 2px 8px; text-align: left; vertical-align: top; }
td.figure { text-align: right; font-variant-numeric: tabular-nums; }
details { border: 1px solid #d5dbe2; border-radius: 6px; margin: 8px 0; padding: 6px 12px; } summary { cursor: pointer; }
summary b { display: inline-block; min-width: 1.6em; } .wrong > summary b { color: #b3261e; } .right > summary b { color: #1c7a3d; }
.beside { display: grid; grid-template-columns: repeat(auto-fit, minmax(30rem, 1fr)); gap: 1rem; } .beside > div { overflow-x: auto; min-width: 0; }
pre { background: #f4f6f8; border-radius: 6px; padding: 8px; overflow-x: auto; white-space: pre-wrap; font-size: 12.5px; } .dim { color: #5b6875; }
`

/**
 * Renders the report as an HTML page. It shows the figures by tag, and then each case with its SQL and result beside the expected
 * ones. Wrong cases come first.
 */
export async function reportPage(report: EvalReport, transcripts: readonly EvalTranscript[]): Promise<string> {
  const groups: readonly (readonly [string, GroupReport])[] = [['all', report.all], ...Object.entries(report.by_tag)]
  const inOrder = [...transcripts].sort((a, b) => Number(a.report.correct) - Number(b.report.correct))
  return String(
    await html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Evals: ${report.cases_file}</title>
<style>${raw(STYLE)}</style></head><body>
<h1>${report.cases_file}</h1><p class="dim">${report.model}, ${report.finished_at}</p>
<table><tr><th>tag<th>cases<th>correct<th>first try<th>error-free<th>retries<th>unverified sentences<th>unseen names<th>p50<th>p95<th>tokens in + out<th>misses</tr>
${groups.map(([name, group]) => groupRow(name, group))}</table>
<h2>Cases</h2>
${inOrder.map(caseDetails)}
</body></html>
`,
  )
}

function groupRow(name: string, group: GroupReport): Html {
  const figure = (value: string) => html`<td class="figure">${value}</td>`
  const share = (value: number) => figure(`${(100 * value).toFixed(1)} %`)
  const seconds = (ms: number) => figure(`${(ms / 1000).toFixed(1)} s`)
  const reasons = Object.entries(group.reasons).map(([reason, count]) => `${reason} ${count}`)
  return html`<tr><td>${name}</td>${figure(String(group.cases))}${share(group.correct)}${share(group.first_try)}${share(group.error_free)}
${figure(group.mean_retries.toFixed(2))}${figure(String(group.unsupported))}${figure(String(group.unseen_names))}${seconds(group.latency_ms.p50)}${seconds(group.latency_ms.p95)}
${figure(`${group.tokens.in} + ${group.tokens.out}`)}<td>${reasons.join(', ')}</td></tr>`
}

function caseDetails({ case: asked, report, gold, result, calls }: EvalTranscript): Html {
  const queries = result?.queries ?? []
  return html`<details class="${report.correct ? 'right' : 'wrong'}"><summary><b>${report.correct ? '✓' : '✗'}</b> ${asked.id}: ${asked.question}
<span class="dim">${report.reason ?? ''} ${report.detail}</span></summary>
${asked.history.map(({ role, content }) => html`<p class="dim">${role}: ${content}</p>`)}
<div class="beside"><div><h4>Clew</h4>${queries.map(
    query => html`<p class="dim">${query.id} ${query.question} (${query.attempts} attempts) ${query.error ?? ''}</p>
<pre>${query.sql ?? ''}</pre>${resultTable(query)}`,
  )}</div>
<div><h4>Gold</h4>${gold === null ? '' : html`<pre>${gold.sql}</pre>${resultTable(gold)}`}
${asked.expect === undefined ? '' : html`<pre>${JSON.stringify(asked.expect, null, 1)}</pre>`}</div></div>
<h4>Answer</h4><pre>${result?.answer ?? report.detail}</pre>${report.unseen_names.length > 0 ? html`<p class="dim">not among what the writer was shown: ${report.unseen_names.join(', ')}</p>` : ''}
<details><summary>Steps</summary><table><tr><th>step<th>query<th>attempt<th>ms<th>tokens<th>error</tr>${(result?.steps ?? []).map(
    step => html`<tr><td>${step.step}</td><td>${step.query ?? ''}</td><td>${String(step.attempt)}</td><td>${String(step.duration_ms)}</td>
<td>${step.tokens_in ?? 0} + ${step.tokens_out ?? 0}</td><td>${step.error ?? ''}</td></tr>`,
  )}</table></details>
${calls.map(
  call => html`<details><summary>${call.step}: ${call.subject}</summary>
${call.messages.map(({ role, content }) => html`<p class="dim">${role}</p><pre>${content}</pre>`)}<p class="dim">answered</p><pre>${call.answer ?? ''}</pre></details>`,
)}</details>`
}

function resultTable({ columns, rows }: Pick<NonNullable<EvalTranscript['gold']>, 'columns' | 'rows'>): Html {
  const more = rows.length - EVAL_LIMITS.shownRows
  return html`<table><tr>${columns.map(({ name }) => html`<th>${name}</th>`)}</tr>
${rows.slice(0, EVAL_LIMITS.shownRows).map(row => html`<tr>${row.map(cell => html`<td>${cellText(cell)}</td>`)}</tr>`)}</table>
${more > 0 ? html`<p class="dim">and ${more} more rows</p>` : ''}`
}

function cellText(cell: Cell): string {
  if (cell === null) return 'NULL'
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}
