import { InvalidArgumentError } from 'commander'
import { DAY_MS } from '../../base/durations.ts'
import { MCP_TOOLS, type McpTool } from '../../mcp/parts.ts'

// The parsers of option values. Each throws InvalidArgumentError, which commander reports.

/** Parses the names of tools, with commas between them. */
export function mcpTools(text: string): readonly McpTool[] {
  return text.split(',').map(name => {
    const tool = MCP_TOOLS.find(each => each === name.trim())
    if (tool === undefined) throw new InvalidArgumentError(`There is no tool ${name}. There are ${MCP_TOOLS.join(', ')}.`)
    return tool
  })
}

export function threadName(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be the name of a conversation.')
  return text
}

export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}

/** Parses a time such as 90d or 12h. Returns milliseconds. */
export function lifeTime(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('It must be hours or days, such as 12h or 90d, and 9999d at most.')
  return Number(count) * (unit === 'h' ? DAY_MS / 24 : DAY_MS)
}

/** Parses an ISO date or time, or a time before now such as 7d or 12h. Returns Unix time in milliseconds. */
export function pointInTime(text: string): number {
  if (/^[1-9]\d{0,3}[hd]$/.test(text)) return Date.now() - lifeTime(text)
  const at = /^\d{4}-\d{2}-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2})?)?$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time such as 2026-10-03, 2026-10-03T14:05:00Z, 12h or 7d.')
  return at
}
