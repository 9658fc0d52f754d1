import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ShownResult } from '../../runs-json.ts'
import type { Target } from '../parts/mark-spans.ts'
import { Markdown } from '../parts/markdown.tsx'
import { useRoving } from '../parts/roving.ts'
import { Badge } from '../parts/states.tsx'
import { Evidence } from './evidence.tsx'

export const CONFIDENCE = { HIGH: ['good', 'High'], MEDIUM: ['fair', 'Medium'], LOW: ['bad', 'Low'] } as const

interface AnswerProps {
  readonly run: string
  readonly result: Omit<ShownResult, 'steps'>
  /** Whether the viewer may run its SQL. */
  readonly mayRun: boolean
  /** What the reader can do with it. */
  readonly children?: ComponentChildren
}

/** How far an answer can be trusted, and why. */
export function Trust({
  of: { confidence, confidence_reason: reason },
}: {
  readonly of: Pick<ShownResult, 'confidence' | 'confidence_reason'>
}) {
  if (confidence === null) return null
  const [tone, word] = CONFIDENCE[confidence]
  return (
    <div class="trust">
      <Badge tone={tone}>{word} confidence</Badge>
      <Markdown text={reason ?? 'No rule found a reason to doubt it.'} />
    </div>
  )
}

/** An answer, and beside it where its figures come from. */
export function Answer({ run, result, mayRun, children }: AnswerProps) {
  const [target, point] = useState<Target>()
  const roving = useRoving<HTMLDivElement>('.figure')
  const { answer, queries, figures } = result
  const isPointed = (other: Target) => JSON.stringify(other) === JSON.stringify(target)
  return (
    <div class={queries.length > 0 ? 'answer' : undefined}>
      <div>
        <div {...roving}>
          <Markdown
            text={answer}
            figures={figures}
            draw={(of, text) => (
              <button
                type="button"
                class={isPointed(of) ? 'figure pointed' : 'figure'}
                onMouseEnter={() => point(of)}
                onFocus={() => point(of)}
                onClick={event => {
                  point(of)
                  // On a phone, the evidence covers the lower part of the window.
                  event.currentTarget.scrollIntoView({ block: 'nearest' })
                }}
              >
                {text}
              </button>
            )}
          />
        </div>
        {result.chart && (
          <img class="chart" src={`/console/api/runs/${run}/chart`} alt={`Chart for: ${result.standalone_question}`} />
        )}
        <div class="row">{children}</div>
      </div>
      {queries.length > 0 && <Evidence {...{ run, queries, figures, target, point, mayRun }} />}
    </div>
  )
}
