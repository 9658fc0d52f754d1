import { z } from 'zod'
import { jsonCandidates } from '../json/json-candidates.ts'
import type { ModelToolCall } from '../language-model.ts'

const argumentsSchema = z.union([z.record(z.string(), z.unknown()), z.string()])
const callSchema = z
  .object({
    id: z.string().optional(),
    name: z.string().optional(),
    tool: z.string().optional(),
    function: z.union([z.string(), z.object({ name: z.string(), arguments: argumentsSchema.optional() })]).optional(),
    arguments: argumentsSchema.optional(),
    parameters: argumentsSchema.optional(),
  })
  .transform(call => {
    const inner = typeof call.function === 'object' ? call.function : undefined
    const name = call.name ?? call.tool ?? inner?.name ?? (typeof call.function === 'string' ? call.function : undefined)
    return { id: call.id, name, given: call.arguments ?? call.parameters ?? inner?.arguments ?? {} }
  })
const listSchema = z.union([
  z.object({ tool_calls: z.array(z.unknown()) }).transform(value => value.tool_calls),
  z.array(z.unknown()),
])

/**
 * Finds calls of known tools in a model's text, in common forms: `{"tool_calls": […]}`, a list, or one object. Each form may be
 * in tags or code fences.
 * @returns the calls, and the text before the first call. Without calls, the text is the whole text.
 */
export function toolCallsInText(
  text: string,
  names: ReadonlySet<string>,
): { readonly text: string; readonly toolCalls: readonly ModelToolCall[] } {
  const toolCalls = [...jsonCandidates(text)]
    .flatMap(value => {
      const list = listSchema.safeParse(value)
      return list.success ? list.data : [value]
    })
    .flatMap((value, index) => {
      const call = callSchema.safeParse(value)
      if (!call.success || call.data.name === undefined || !names.has(call.data.name)) return []
      const { id = `call_${index + 1}`, name, given } = call.data
      return [{ id, name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }]
    })
  if (toolCalls.length === 0) return { text, toolCalls }
  const before = text.slice(0, text.search(/<tool_call>|```|[{[]/))
  return { text: before.trim(), toolCalls }
}
