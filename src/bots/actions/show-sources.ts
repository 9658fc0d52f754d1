import { sourceLines } from '../../answer-check/workings/figure-source.ts'
import type { PressHandler } from '../../chat/press-handler.ts'
import { SHARED_LIMITS } from '../shared/limits.ts'
import { plainLine } from '../shared/plain-markdown.ts'
import type { PressAccess } from './press-access.ts'
import { forReaders } from './press-checks.ts'
import type { RunRecords } from './run-record.ts'

/** Handles a press on "Show sources". The reply shows, for each figure of an answer, its source cells. */
export function showSources(deps: {
  readonly records: Pick<RunRecords, 'load'>
  readonly access: Pick<PressAccess, 'mayRead'>
}): PressHandler {
  return forReaders(deps, async ({ record: { figures, language }, words }) => {
    const lines = sourceLines(figures, language)
    if (lines.length === 0) return { markdown: words.noSources }
    const shown = lines.slice(0, SHARED_LIMITS.sourceLines).map(line => `- ${plainLine(line)}`)
    const hidden = lines.length - shown.length
    return { markdown: [shown.join('\n'), ...(hidden > 0 ? [words.moreSources(hidden)] : [])].join('\n\n') }
  })
}
