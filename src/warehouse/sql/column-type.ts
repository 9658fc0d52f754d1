/**
 * The kind of a column's type. It decides which statistics are gathered: none for `opaque`, which stands for tuples, JSON,
 * aggregate states and geometry.
 */
type ColumnKind = 'number' | 'small_number' | 'time' | 'text' | 'enum' | 'boolean' | 'identifier' | 'array' | 'map' | 'opaque'

export interface ColumnType {
  readonly kind: ColumnKind
  readonly nullable: boolean
  /** The value names of an Enum, in the type's own order. For an array of Enums, the value names of its elements. */
  readonly enumValues: readonly string[]
}

const WRAPPER = /^(Nullable|LowCardinality)\((.*)\)$/s
const SIMPLE_AGGREGATE = /^SimpleAggregateFunction\(\w+(?:\([^)]*\))?, (.*)\)$/s
const ENUM_NAME = /'((?:[^'\\]|\\.)*)(?:' = -?\d+|$)/gs

/** Parses a type in the server's spelling, such as `LowCardinality(Nullable(String))`. An unknown type becomes `opaque`. */
export function readColumnType(type: string): ColumnType {
  const { inner, nullable } = unwrap(type)
  if (/^Enum(8|16)\(/.test(inner)) return { kind: 'enum', nullable, enumValues: enumNames(inner) }
  const array = /^Array\((.*)\)$/s.exec(inner)?.[1]
  if (array !== undefined) {
    const element = readColumnType(array)
    return { kind: isGroupable(element.kind) ? 'array' : 'opaque', nullable: false, enumValues: element.enumValues }
  }
  if (/^Map\((LowCardinality\()?(Nullable\()?(String|FixedString\(\d+\)|Enum(8|16)\()/.test(inner)) {
    return { kind: 'map', nullable: false, enumValues: [] }
  }
  return { kind: scalarKind(inner), nullable, enumValues: [] }
}

export function isJson(type: string): boolean {
  return /^(?:Nullable\()?JSON(?:\(|\)|$)/.test(type)
}

/** Whether values of this type have named parts, such as the paths of a JSON, the elements of a tuple or the keys of a map. */
export function hasParts(type: string): boolean {
  return /\b(?:JSON|Object|Tuple|Nested|Map|Variant|Dynamic)\b/.test(type)
}

function unwrap(type: string): { inner: string; nullable: boolean } {
  let inner = type
  let nullable = false
  for (;;) {
    const wrapped = WRAPPER.exec(inner)
    const next = wrapped?.[2] ?? SIMPLE_AGGREGATE.exec(inner)?.[1]
    if (next === undefined) return { inner, nullable }
    nullable ||= wrapped?.[1] === 'Nullable'
    inner = next
  }
}

function isGroupable(kind: ColumnKind): boolean {
  return kind === 'text' || kind === 'enum'
}

function scalarKind(type: string): ColumnKind {
  if (/^U?Int(8|16)$/.test(type)) return 'small_number'
  if (/^(U?Int\d+|B?Float\d+|Decimal\d*(\(.*\))?|Time(64\(\d\))?)$/.test(type)) return 'number'
  if (/^Date(32)?$|^DateTime(64)?(\(.*\))?$/s.test(type)) return 'time'
  if (/^(String|FixedString\(\d+\))$/.test(type)) return 'text'
  if (type === 'Bool') return 'boolean'
  return /^(UUID|IPv[46])$/.test(type) ? 'identifier' : 'opaque'
}

function enumNames(type: string): readonly string[] {
  return [...type.matchAll(ENUM_NAME)].map(match => (match[1] ?? '').replace(/\\(.)/gs, unescapeCharacter))
}

function unescapeCharacter(_escape: string, character: string): string {
  if (character === 'n') return '\n'
  if (character === 't') return '\t'
  return character
}
