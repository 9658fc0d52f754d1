import { type Rejection, rejection } from '../../../warehouse/guard/rejection.ts'
import { elements, type TreeNode } from '../../../warehouse/query-tree.ts'
import { GUARD_LIMITS } from '../../limits.ts'
import { CALL_BOUNDS, type CallBound } from './call-bounds.ts'
import type { FunctionList } from './function-list.ts'
import { constantTexts, KnownValues } from './known-values.ts'
import { patternSize } from './pattern-size.ts'

/**
 * Functions such as `repeat` that can make a long text from a short one. Their results must not be compared character by
 * character.
 */
const LENGTHENING = new Set(
  (
    'repeat space leftPad leftPadUTF8 rightPad rightPadUTF8 range timeSlots arrayWithConstant arrayResize printf toFixedString ' +
    'groupArray groupUniqArray groupArrayLast groupArraySample groupArraySorted groupArrayInsertAt groupConcat'
  ).split(' '),
)
/**
 * The only functions with which a query may build a regular expression. They only combine or cut texts from the query or the
 * data.
 */
const PATTERN_BUILDERS = new Set(
  (
    'concat concatWithSeparator arrayStringConcat substring substringUTF8 left right array arrayElement tupleElement arrayJoin arrayMap regexpQuoteMeta lower upper lowerUTF8 upperUTF8 trimLeft trimRight trimBoth ' +
    'toString coalesce ifNull assumeNotNull if multiIf CAST any min max groupArray groupUniqArray groupConcat format identity materialize'
  ).split(' '),
)
/** Functions such as `pow` whose result can be very much larger than their argument. */
const FAST_GROWING = new Set('pow exp exp2 exp10 intExp2 intExp10 factorial bitShiftLeft tgamma sinh cosh'.split(' '))

/**
 * Finds a call that is expensive whatever the data are, such as `repeat('x', 1000000000)`. Must run before planning, because
 * planning already computes such constants.
 */
export function findCostFault(root: TreeNode, functions: FunctionList): Rejection | undefined {
  return new CallCosts(root, functions).find()
}

class CallCosts {
  readonly #root: TreeNode
  readonly #functions: FunctionList
  readonly #values: KnownValues
  #copies = 1
  /** The first function, in the query's spelling, that can make longer values than the data contain. */
  #longBy: string | undefined
  /** The first function, in the query's spelling, that compares each element with each other element. */
  #comparedBy: string | undefined

  constructor(root: TreeNode, functions: FunctionList) {
    this.#root = root
    this.#functions = functions
    this.#values = new KnownValues(root)
  }

  find(): Rejection | undefined {
    const message = this.#visit(this.#root) ?? this.#together()
    return message === undefined ? undefined : rejection('function', message)
  }

  #visit(node: TreeNode): string | undefined {
    const message = this.#faultOf(node)
    if (message !== undefined) return message
    for (const child of node.branches) {
      const inner = this.#visit(child.node)
      if (inner !== undefined) return inner
    }
    return undefined
  }

  /** Returns a message if all calls together are too expensive, although each one is acceptable. */
  #together(): string | undefined {
    if (this.#copies > GUARD_LIMITS.maxCopies)
      return `The query makes too many copies of copies; repeat and the like may make ${GUARD_LIMITS.maxCopies} in all.`
    if (this.#longBy === undefined || this.#comparedBy === undefined) return undefined
    return `${this.#comparedBy} compares each with each, and ${this.#longBy} may make long values in the same query; leave one of them out, or bound ${this.#longBy} by a number of at most ${GUARD_LIMITS.maxComparedElements}.`
  }

  #faultOf(node: TreeNode): string | undefined {
    const { function_name: called, table_function_name: table, group_by_type: groupBy } = node.attributes
    if (table !== undefined) return this.#rowsFault(table, node)
    if (groupBy === 'cube' && elements(node, 'GROUP BY').length > GUARD_LIMITS.maxCubeKeys) {
      return `CUBE may have at most ${GUARD_LIMITS.maxCubeKeys} keys: it groups by each subset of them.`
    }
    const known = called === undefined ? undefined : this.#functions.find(called)
    if (called === undefined || known === undefined) return undefined
    const bound = Object.hasOwn(CALL_BOUNDS, known.base) ? CALL_BOUNDS[known.base] : undefined
    return (
      (bound === undefined ? undefined : this.#boundFault(called, bound, node)) ?? resampleFault(known.name, node, this.#values)
    )
  }

  #boundFault(name: string, bound: CallBound, node: TreeNode): string | undefined {
    const args = elements(node, 'ARGUMENTS')
    switch (bound.kind) {
      case 'count': {
        const given = bound.at < 0 ? elements(node, 'PARAMETERS')[0] : args[bound.at]
        const isBound = given === undefined ? bound.isNeeded !== true : this.#isAtMost(given, bound.most)
        return isBound ? undefined : atMost(name, bound.most)
      }
      case 'copies':
        return this.#copiesFault(name, bound, args)
      case 'length':
        return this.#lengthFault(name, bound, args.slice(bound.from))
      case 'pattern':
        return args[bound.at] === undefined ? undefined : this.#patternFault(name, args[bound.at] as TreeNode)
      case 'like': {
        const isLong = this.#textsOf(args[bound.at]).some(text => text.length > GUARD_LIMITS.maxPatternElements)
        return isLong ? `A pattern of ${name} may have at most ${GUARD_LIMITS.maxPatternElements} characters.` : undefined
      }
      case 'path':
        return this.#pathFault(name, args[bound.at])
      case 'widths':
        return this.#widthsFault(name, args[bound.at])
      case 'likeness':
        return this.#likenessFault(name, args)
      case 'lists':
        if (!args.some(argument => this.#values.texts([argument]) !== undefined)) this.#comparedBy ??= name
        return undefined
      case 'method': {
        const methods = elements(node, 'PARAMETERS').flatMap(one => (one.kind === 'CONSTANT' ? constantTexts(one) : [bound.not]))
        return methods.includes(bound.not)
          ? `${name} may not be '${bound.not}': it compares each value with each. Leave the method out.`
          : undefined
      }
      case 'choice': {
        const texts = args[0]?.kind === 'CONSTANT' ? constantTexts(args[0]) : []
        return texts.some(text => bound.of.includes(text)) ? undefined : `${name} writes one of ${bound.of.join(', ')}.`
      }
    }
  }

  #copiesFault(name: string, bound: Extract<CallBound, { kind: 'copies' }>, args: readonly TreeNode[]): string | undefined {
    const count = args[bound.at]
    const copied = bound.of === undefined ? undefined : args[bound.of]
    if (count === undefined) return undefined
    const most = this.#values.most(count)
    const text = copied === undefined ? [''] : copied.kind === 'CONSTANT' ? constantTexts(copied) : undefined
    // The number of copies comes from the data, such as a number of days. This is refused only if the query also compares
    // elements pairwise.
    if (most === undefined && bound.of !== 0 && this.#isMeasured(count, bound.most)) {
      this.#longBy ??= name
      return undefined
    }
    // The result of `repeat('*', length(name))` is only as long as the name. So it counts as many copies as the repeated text has
    // characters: one for '*'.
    if (most === undefined && text !== undefined && this.#isLength(count)) {
      this.#copies *= Math.max(1, text[0]?.length ?? 1)
      return undefined
    }
    if (most === undefined || most > bound.most) return `${atMost(name, bound.most)} To draw a bar, use bar(x, min, max, width).`
    if (text === undefined) this.#copies *= Math.max(1, most)
    if (most * Math.max(1, text?.[0]?.length ?? 1) > GUARD_LIMITS.maxComparedElements) this.#longBy ??= name
    return undefined
  }

  #lengthFault(
    name: string,
    { from, most }: Extract<CallBound, { kind: 'length' }>,
    args: readonly TreeNode[],
  ): string | undefined {
    const bounds = args.map(argument => this.#values.most(argument))
    const known = bounds.filter(bound => bound !== undefined)
    if (known.length === bounds.length) {
      // `range` takes start, end and step, but `timeSlots` takes start, duration and size.
      const length = from === 0 ? rangeLength(known) : rangeLength([0, known[0] ?? 0, known[1] ?? 1_800])
      if (length > GUARD_LIMITS.maxComparedElements) this.#longBy ??= name
      return length > most ? atMost(name, most) : undefined
    }
    this.#longBy ??= name
    const isOfData = args.every((argument, at) => bounds[at] !== undefined || this.#isMeasured(argument, most))
    return isOfData ? undefined : atMost(name, most)
  }

  #rowsFault(name: string, node: TreeNode): string | undefined {
    const lower = name.toLowerCase()
    if (!['numbers', 'generateseries', 'generate_series'].includes(lower)) return undefined
    const bounds = elements(node, 'ARGUMENTS').map(argument => this.#values.most(argument))
    const [first = 0, second, step = 1] = bounds
    const rows =
      lower === 'numbers'
        ? (second ?? first) / (bounds.length > 2 ? Math.max(1, step) : 1)
        : ((second ?? 0) - first) / Math.max(1, step)
    if (rows > GUARD_LIMITS.maxGeneratedRows) return `${name} may return at most ${GUARD_LIMITS.maxGeneratedRows} rows.`
    if (rows > GUARD_LIMITS.maxComparedElements || bounds.includes(undefined)) this.#longBy ??= name
    return undefined
  }

  #patternFault(name: string, argument: TreeNode): string | undefined {
    const fault = `A pattern of ${name} may have at most ${GUARD_LIMITS.maxPatternElements} elements, with its repetitions like {3} written out.`
    const written = this.#values.texts([argument])
    if (written !== undefined) return written.every(isSmallPattern) ? undefined : fault
    if (!this.#isBuilt(argument))
      return `A pattern of ${name} must be written as a text, or joined of texts and columns by concat.`
    const joined = this.#textsOf(argument)
    // Any text in the query may end up in the built pattern. So each of them must be small enough.
    return [joined.join(''), ...allTexts(this.#root)].every(isSmallPattern) ? undefined : fault
  }

  #pathFault(name: string, argument: TreeNode | undefined): string | undefined {
    const texts = argument === undefined ? [] : this.#values.texts([argument])
    if (texts === undefined) return `The path of ${name} must be written as a text.`
    const reach = texts.map(text =>
      [...text.matchAll(/\bto\s+(\d+)/gi)].reduce((product, [, to]) => product * (Number(to) + 1), 1),
    )
    const indexes = texts.flatMap(text => (text.match(/\d+/g) ?? []).map(Number))
    return reach.some(size => size > GUARD_LIMITS.maxComparedElements) ||
      indexes.some(index => index > GUARD_LIMITS.maxComparedElements)
      ? `A range in the path of ${name} may reach to at most ${GUARD_LIMITS.maxComparedElements}; [*] means all.`
      : undefined
  }

  #widthsFault(name: string, argument: TreeNode | undefined): string | undefined {
    const texts = argument === undefined ? [] : this.#values.texts([argument])
    if (texts === undefined) return `The format of ${name} must be written as a text.`
    const isWide = texts.some(
      text =>
        /%[^A-Za-z%]*\*/.test(text) ||
        (text.match(/\d+/g) ?? []).some(width => Number(width) > GUARD_LIMITS.maxComparedCharacters),
    )
    return isWide
      ? `A width in the format of ${name} may be at most ${GUARD_LIMITS.maxComparedCharacters}, as a number.`
      : undefined
  }

  #likenessFault(name: string, args: readonly TreeNode[]): string | undefined {
    const isShort = (argument: TreeNode) => {
      const texts = this.#values.texts([argument])
      return texts?.every(text => text.length <= GUARD_LIMITS.maxComparedCharacters)
    }
    if (args.some(argument => isShort(argument) || this.#isCut(argument))) return undefined
    if (!args.every(argument => this.#isMadeOf(argument, name => !LENGTHENING.has(name)))) {
      return `${name} compares short texts: columns, or a part of one, as in substring(x, 1, 100).`
    }
    this.#comparedBy ??= name
    return undefined
  }

  #isCut(argument: TreeNode): boolean {
    const { function_name: name } = argument.attributes
    const args = elements(argument, 'ARGUMENTS')
    const length = /^(?:substring|substr|mid)(?:UTF8)?$/i.test(name ?? '')
      ? args[2]
      : /^(?:left|right)(?:UTF8)?$/i.test(name ?? '')
        ? args[1]
        : undefined
    return length !== undefined && this.#isAtMost(length, GUARD_LIMITS.maxComparedCharacters)
  }

  #isBuilt(argument: TreeNode): boolean {
    return this.#isMadeOf(argument, name => PATTERN_BUILDERS.has(name))
  }

  /**
   * Whether a value comes only from columns and constants, through functions that `isAllowed` accepts. Follows names to their
   * definitions, even into subqueries.
   */
  #isMadeOf(node: TreeNode, isAllowed: (name: string) => boolean, seen: ReadonlySet<TreeNode> = new Set()): boolean {
    if (seen.has(node)) return true
    const further = new Set([...seen, node])
    if (node.kind === 'IDENTIFIER') return this.#values.definitions(node).every(one => this.#isMadeOf(one, isAllowed, further))
    if (node.kind === 'FUNCTION') {
      const known = this.#functions.find(node.attributes.function_name ?? '')
      if (known === undefined || !isAllowed(known.base)) return false
      return elements(node, 'ARGUMENTS').every(one => this.#isMadeOf(one, isAllowed, further))
    }
    if (node.kind === 'QUERY') return elements(node, 'PROJECTION').every(one => this.#isMadeOf(one, isAllowed, further))
    if (node.kind === 'LAMBDA') return node.branches.every(({ node: child }) => this.#isMadeOf(child, isAllowed, further))
    return node.kind === 'CONSTANT' || node.kind === 'LIST'
  }

  /**
   * Whether a number comes from the data and the query does not enlarge it. True for `length(name)`, false for `length(name) *
   * 1000000`.
   */
  #isMeasured(node: TreeNode, most: number): boolean {
    if (node.kind === 'CONSTANT') return (this.#values.most(node) ?? Infinity) <= most || constantTexts(node).length > 0
    const { function_name: called } = node.attributes
    const name = called === undefined ? undefined : this.#functions.find(called)?.base
    if (name !== undefined && FAST_GROWING.has(name)) return false
    if (name === 'multiply') {
      const factors = elements(node, 'ARGUMENTS').map(argument => this.#values.most(argument) ?? 1)
      if (factors.reduce((product, factor) => product * factor, 1) > most) return false
    }
    // A subquery's value depends only on its SELECT list. Its FROM and its conditions cannot enlarge the number.
    const parts = node.kind === 'QUERY' ? elements(node, 'PROJECTION') : node.branches.map(({ node: child }) => child)
    return parts.every(part => this.#isMeasured(part, most))
  }

  /** Whether a number is a length, or at most a small known number away from one, as `10 - length(name)`. */
  #isLength(node: TreeNode): boolean {
    const name = this.#functions.find(node.attributes.function_name ?? '')?.base ?? ''
    if (name === 'length' || name === 'lengthUTF8') return true
    const args = elements(node, 'ARGUMENTS')
    if (!['plus', 'minus', 'greatest'].includes(name) && !/^to(?:U?Int)\d+$/.test(name)) return false
    return (
      args.some(one => this.#isLength(one)) &&
      args.every(one => this.#isAtMost(one, GUARD_LIMITS.maxComparedCharacters) || this.#isLength(one))
    )
  }

  #isAtMost(node: TreeNode, most: number): boolean {
    return (this.#values.most(node) ?? Infinity) <= most
  }

  /** Returns all string literals in an argument, also in nested calls. */
  #textsOf(node: TreeNode | undefined): readonly string[] {
    if (node === undefined) return []
    return this.#values.texts([node]) ?? node.branches.flatMap(({ node: child }) => this.#textsOf(child))
  }
}

/**
 * Checks a call such as `sumResample(start, end, step)(x, key)`. The engine keeps one sum per step, so the number of steps is
 * limited.
 */
function resampleFault(name: string, node: TreeNode, values: KnownValues): string | undefined {
  if (!/Resample/.test(name)) return undefined
  const [start, end, step] = elements(node, 'PARAMETERS')
    .slice(-3)
    .map(parameter => values.most(parameter))
  const buckets = ((end ?? Infinity) - (start ?? 0)) / Math.max(1, step ?? 1)
  return buckets > GUARD_LIMITS.maxBuckets
    ? `-Resample may make at most ${GUARD_LIMITS.maxBuckets} buckets: (end - start) / step.`
    : undefined
}

function rangeLength(bounds: readonly number[]): number {
  const [first = 0, second, step = 1] = bounds
  return second === undefined ? first : (second - first) / Math.max(1, step)
}

function atMost(name: string, most: number): string {
  return `The size that ${name} is given must be known to be at most ${most}: write a number, or least(n, ${Math.min(most, 100)}).`
}

function isSmallPattern(pattern: string): boolean {
  const size = patternSize(pattern)
  return (
    pattern.length <= GUARD_LIMITS.maxPatternElements &&
    (size === undefined ? !/\{\d/.test(pattern) : size <= GUARD_LIMITS.maxPatternElements)
  )
}

function allTexts(node: TreeNode): readonly string[] {
  const own = node.kind === 'CONSTANT' ? constantTexts(node) : []
  return [...own, ...node.branches.flatMap(({ node: child }) => allTexts(child))]
}
