import { z } from 'zod'
import { completeText } from '../llm/complete-text.ts'
import type { ModelCompletion, ModelMessage } from '../llm/language-model.ts'
import { ModelError } from '../llm/model-error.ts'
import type { ModelStep } from '../llm/model-step.ts'
import type { PromptValues } from '../llm/prompts.ts'
import { completeStructured } from '../llm/structured-output.ts'
import type { StepUsage } from '../history/run-log.ts'
import type { RunContext } from './run-context.ts'

/** The same question should give the same plan and the same SQL. */
const TEMPERATURE = 0

interface ModelCall<Step extends ModelStep> {
  readonly step: Step
  readonly query?: string
  readonly attempt?: number
  /** What the call depends on, for the run's log: a resumed run takes the earlier answer for the same input. */
  readonly input: Readonly<Record<string, unknown>>
  readonly values: PromptValues<Step>
}
