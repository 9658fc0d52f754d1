import { type TreeNode, value } from './node-tree.ts'

export const DAY = 86_400_000_000
const [INTEGERS, DATE, INTERVAL, FLOAT, NUMERIC] = [['20', '21', '23'], '1082', '1186', '701', '1700']
const TIMES: ReadonlySet<string> = new Set(['1114', '1184'])

/** Returns the bytes of a constant as the server keeps it. Undefined for NULL and for any other node. */
export function constantBytes(node: TreeNode): Buffer | undefined {
  const [, bracket, ...bytes] = node.fields.get('constvalue') ?? []
  if (node.kind !== 'CONST' || bracket !== '[') return undefined
  return Buffer.from(bytes.slice(0, -1).map(byte => Number(byte) & 0xff))
}

/** Returns the text of a constant, whose first four bytes are its length. */
export function constantText(node: TreeNode): string | undefined {
  return value(node, 'constlen') === '-1' ? constantBytes(node)?.subarray(4).toString() : undefined
}

/** Returns a number, or a time in microseconds since 2000. Undefined for constants of other types. */
export function constantNumber(node: TreeNode): number | undefined {
  const type = value(node, 'consttype') ?? ''
  const bytes = constantBytes(node)
  if (bytes === undefined || bytes.length < 8) return type === NUMERIC && bytes !== undefined ? numeric(bytes) : undefined
  if (INTEGERS.includes(type) || TIMES.has(type)) return Number(bytes.readBigInt64LE())
  if (type === DATE) return Number(bytes.readBigInt64LE()) * DAY
  if (type === FLOAT) return bytes.readDoubleLE()
  if (type === NUMERIC) return numeric(bytes)
  if (type !== INTERVAL || bytes.length < 16) return undefined
  return Number(bytes.readBigInt64LE()) + (bytes.readInt32LE(8) + bytes.readInt32LE(12) * 30) * DAY
}

/** Reads a numeric: a header, then digits to the base of 10,000. Undefined for NaN and infinity. */
function numeric(bytes: Buffer): number | undefined {
  const header = bytes.readUInt16LE(4)
  if (header >= 0xc000) return undefined
  const isShort = header >= 0x8000
  const isNegative = (header & (isShort ? 0x2000 : 0x4000)) !== 0
  let weight = isShort ? ((header & 0x7f) << 25) >> 25 : bytes.readInt16LE(6)
  let number = 0
  for (let at = isShort ? 6 : 8; at + 1 < bytes.length; at += 2) number += bytes.readInt16LE(at) * 10_000 ** weight--
  return isNegative ? -number : number
}
