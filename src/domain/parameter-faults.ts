import { exampleValue } from './parameter-values.ts'
import { parameterPlaceholders, partsOfQuestion, placeholdersIn, type QueryTemplate } from './query-parameters.ts'

/** Returns the mistakes in a verified query's parameters. Each is a sentence that starts with the parameter's name. */
export function parameterFaults({ question, sql, parameters = [] }: QueryTemplate): readonly string[] {
  if (parameters.length === 0) return []
  const written = placeholdersIn(sql)
  const parts = partsOfQuestion(question)
  const slots = parts.filter((_, at) => at % 2 === 1)
  const texts = parts.filter((_, at) => at % 2 === 0)
  const names = parameters.map(({ name }) => name)
  const known = new Set([...names, ...parameters.flatMap(parameterPlaceholders)])
  const unknown = [...written, ...slots].find(placeholder => !known.has(placeholder))
  const neighbour = slots.find((_, at) => at > 0 && !/[\p{L}\p{N}]/u.test(texts[at] ?? ''))
  return [
    ...(unknown === undefined ? [] : [`{${unknown}} is no parameter.`]),
    ...(neighbour === undefined
      ? []
      : [`{${neighbour}} has no word between itself and the parameter before it in the question.`]),
    ...((texts.join(' ').match(/[\p{L}\p{N}]+/gu) ?? []).length < 2
      ? ['The question has fewer than two words beside its parameters.']
      : []),
    ...parameters.flatMap(parameter => {
      const { name } = parameter
      const missing = parameterPlaceholders(parameter).find(placeholder => !written.has(placeholder))
      return [
        ...(names.filter(other => other === name).length > 1 ? [`${name} is there twice.`] : []),
        ...(slots.filter(slot => slot === name).length === 1 ? [] : [`{${name}} must stand in the question once.`]),
        ...(missing === undefined ? [] : [`{${missing}} must stand in the SQL, outside of quotes.`]),
        ...(parameter.type === 'text' && (parameter.column === undefined) === (parameter.values === undefined)
          ? [`${name} needs a column or a list of values, not both.`]
          : []),
        ...(exampleValue(parameter) === undefined
          ? [`${name} has an example that is none of the values that docs/domain.md allows, or outside of its own.`]
          : []),
      ]
    }),
  ]
}
