import { ApiRefusal } from './api-refusal.ts'
import type { JsonObject } from './json.ts'

type Path = readonly (string | number)[]

interface ErrorNode {
  readonly children: Map<string, ErrorNode>
  readonly errors: { readonly code: string; readonly message: string }[]
}

/** Collects the mistakes in a request's body. Refuses the body in the form that Discord documents in reference, "Error Messages". */
export class FormErrors {
  readonly #root: ErrorNode = { children: new Map(), errors: [] }
  #count = 0

  add(path: Path, code: string, message: string): void {
    this.#count += 1
    let node = this.#root
    for (const step of path) {
      const child = node.children.get(String(step)) ?? { children: new Map(), errors: [] }
      node.children.set(String(step), child)
      node = child
    }
    node.errors.push({ code, message })
  }

  required(path: Path): void {
    this.add(path, 'BASE_TYPE_REQUIRED', 'This field is required')
  }

  choices(path: Path, allowed: readonly (string | number)[]): void {
    const shown = allowed.map(value => (typeof value === 'string' ? `'${value}'` : String(value))).join(', ')
    this.add(path, 'BASE_TYPE_CHOICES', `Value must be one of (${shown}).`)
  }

  /**
   * Checks a string. Records a mistake if it is missing, wrong or too long. @returns the string, or undefined if there is none
   */
  string(
    path: Path,
    value: unknown,
    rule: { readonly most: number; readonly least?: number; readonly required?: boolean },
  ): string | undefined {
    if (value === undefined || value === null) {
      if (rule.required === true) this.required(path)
      return undefined
    }
    if (typeof value !== 'string') {
      this.add(path, 'STRING_TYPE_CONVERT', `Could not interpret "${JSON.stringify(value)}" as string.`)
      return undefined
    }
    this.length(path, value, rule)
    return value
  }

  /** Checks the length of a string or list, and records a mistake if it is wrong. @returns whether the length is allowed */
  length(path: Path, value: string | readonly unknown[], rule: { readonly most: number; readonly least?: number }): boolean {
    const { least = 0, most } = rule
    const length = typeof value === 'string' ? value.trim().length : value.length
    if (typeof value === 'string' && length === 0 && least > 0) {
      this.required(path)
      return false
    }
    if (length >= least && length <= most) return true
    if (least > 0) this.add(path, 'BASE_TYPE_BAD_LENGTH', `Must be between ${least} and ${most} in length.`)
    else this.add(path, 'BASE_TYPE_MAX_LENGTH', `Must be ${most} or fewer in length.`)
    return false
  }

  /** Checks that a value is a list, and records a mistake if it is not. @returns the items, or an empty list */
  list(path: Path, value: unknown): readonly unknown[] {
    if (value === undefined || value === null) return []
    if (Array.isArray(value)) return value
    this.add(path, 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType')
    return []
  }

  snowflake(path: Path, value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined
    const text = String(value)
    if (/^\d{1,20}$/.test(text)) return text
    this.add(path, 'NUMBER_TYPE_COERCE', `Value "${text}" is not snowflake.`)
    return undefined
  }

  /** @throws ApiRefusal 50035 if any mistake was recorded */
  refuseIfAny(): void {
    if (this.#count > 0) throw new ApiRefusal('invalidForm', tree(this.#root))
  }
}

function tree(node: ErrorNode): JsonObject {
  return {
    ...Object.fromEntries([...node.children].map(([key, child]) => [key, tree(child)])),
    ...(node.errors.length === 0 ? {} : { _errors: node.errors }),
  }
}
