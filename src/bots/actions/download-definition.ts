import type { PressHandler } from '../../chat/press-handler.ts'
import type { PressAccess } from './press-access.ts'
import { forReaders } from './press-checks.ts'
import type { RunRecords } from './run-record.ts'

/** Handles a press on "Download YAML". The reply has the definition of the drafted pipeline as a file. */
export function downloadDefinition(deps: {
  readonly records: Pick<RunRecords, 'load'>
  readonly access: Pick<PressAccess, 'mayRead'>
}): PressHandler {
  return forReaders(deps, async ({ record: { draft }, words }) => {
    if (draft === undefined) return { markdown: words.nothingToDownload }
    const file = { name: `${draft.name}.yaml`, mediaType: 'application/yaml', content: Buffer.from(draft.definition) }
    return { markdown: `\`clew jobs register ${file.name}\``, files: [file] }
  })
}
