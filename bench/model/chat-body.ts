import { z } from 'zod'

const contentSchema = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))])
  .nullish()
  .transform(content => (Array.isArray(content) ? content.map(part => part.text ?? '').join('\n') : (content ?? '')))

const toolCallSchema = z.looseObject({ function: z.object({ name: z.string(), arguments: z.string() }) })

const toolSchema = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    parameters: z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) }).optional(),
  }),
})

/** The parts of a request to the model that the simulated model uses. */
export const chatBodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema, tool_calls: z.array(toolCallSchema).optional() })),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z.array(toolSchema).nullish(),
  tool_choice: z.union([z.string(), z.looseObject({ function: z.object({ name: z.string() }) })]).nullish(),
  response_format: z
    .looseObject({
      json_schema: z
        .looseObject({ schema: z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) }) })
        .optional(),
    })
    .nullish(),
})
export type ChatBody = z.infer<typeof chatBodySchema>

/** Returns the parts of a prompt in the order in which providers count and cache them: tools and schema, then the messages. */
export function promptParts({ messages, tools, response_format: format }: ChatBody): readonly string[] {
  return [
    ...(tools == null || tools.length === 0 ? [] : [JSON.stringify(tools)]),
    ...(format?.json_schema === undefined ? [] : [JSON.stringify(format.json_schema)]),
    ...messages.map(({ role, content, tool_calls: calls = [] }) =>
      [role, content, ...calls.map(call => `${call.function.name}${call.function.arguments}`)].join('\n'),
    ),
  ]
}
