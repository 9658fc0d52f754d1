import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { QueryReport, RunResult } from '../agent/run/result.ts'
import { MCP_LIMITS } from './limits.ts'

/**
 * Writes an answer for an agent: its text, and an object with the SQL, the first rows, the sources of the figures, and the
 * question back if there is one.
 */
export function answerContent(result: RunResult, thread: string): CallToolResult {
  const { run_id, intent, standalone_question, confidence, confidence_reason, interrupt, citations, figures, combined } = result
  const rest = {
    ...{ thread, run_id, intent, standalone_question, confidence, confidence_reason },
    question_back: interrupt && {
      kind: interrupt.kind,
      question: interrupt.question,
      choices: interrupt.choices.map(({ label }, index) => ({ number: index + 1, label })),
    },
    queries: result.queries.map(queryContent),
    ...{ citations, figures, combined },
  }
  return {
    content: [
      { type: 'text', text: result.answer },
      { type: 'text', text: JSON.stringify(rest) },
    ],
    structuredContent: { ...rest, answer: result.answer },
  }
}

function queryContent(query: QueryReport) {
  const { id, question, source, sql, explanation, assumptions, columns, rows, row_count, truncated, error } = query
  const shown = rows.slice(0, MCP_LIMITS.answerRows)
  return { id, question, source, sql, explanation, assumptions, columns, rows: shown, row_count, truncated, error }
}
