/** An argument of a function, as the engine's message writes it. `__table1.mtu UInt16 UInt16(size = 0)` is name, type and memory layout. */
export interface FunctionArgument {
  readonly name: string
  readonly type: string
}

/** Parses the list after "while executing function f on arguments". Returns undefined if the list is cut or cannot be parsed. */
export function readFunctionArguments(list: string): readonly FunctionArgument[] | undefined {
  const read = splitOutside(list.replace(/\.$/, ''), ',')?.map(readArgument)
  return read?.every(argument => argument !== undefined) ? read : undefined
}

function readArgument(text: string): FunctionArgument | undefined {
  const parts = splitOutside(text.trim(), ' ')
  const type = parts?.at(-2)
  if (parts === undefined || type === undefined || parts.length < 3) return undefined
  return { name: parts.slice(0, -2).join(' '), type }
}

/** Splits a text at a separator, but not inside brackets and quotes. Returns undefined if a bracket or quote stays open. */
function splitOutside(text: string, separator: ',' | ' '): readonly string[] | undefined {
  const parts: string[] = []
  let [depth, start, isQuoted] = [0, 0, false]
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (isQuoted && character === '\\') index += 1
    else if (character === "'") isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '(' || character === '[') depth += 1
    else if (character === ')' || character === ']') depth -= 1
    else if (character === separator && depth === 0) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return depth === 0 && !isQuoted ? [...parts, text.slice(start)] : undefined
}
