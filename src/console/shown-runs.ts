import type { RunResult } from '../agent/run/result.ts'
import { Places } from '../base/places.ts'
import type { PressAccess } from '../bots/actions/press-access.ts'
import type { RunRecords } from '../bots/actions/run-record.ts'
import type { ChatPress } from '../chat/event.ts'
import { unpackJson } from '../history/packed-json.ts'
import { HTTP_LIMITS } from '../http/limits.ts'
import { HTTP_PLATFORM } from '../http/place.ts'
import { Problem } from '../http/problem.ts'
import type { TurnClient } from '../http/turn-client.ts'
import type { Asked, Viewer } from './app.ts'
import { CONSOLE_LIMITS } from './limits.ts'
import type { StoredLine } from './run-line.ts'
import type { ListedLine, RunMirror } from './run-mirror.ts'

export interface ShownRunsDeps {
  readonly mirror: RunMirror
  readonly turns: Pick<TurnClient, 'find' | 'packed'>
  readonly records: Pick<RunRecords, 'load' | 'result' | 'rows'>
  readonly access: Pick<PressAccess, 'mayRead'>
}

type Result = Omit<RunResult, 'steps'>
/** A run for one viewer. `result` is undefined if there is none, and hidden from a viewer who `maySee` nothing of it. */
export interface ShownRun {
  readonly line: ListedLine
  readonly maySee: boolean
  readonly result: Result | undefined
}

/** A request for a run. */
export type AskedRun = Pick<Asked<'GET /console/api/runs/:id', unknown>, 'path' | 'viewer' | 'signal'>

/** Whether the list shows a run to a viewer: the own ones, and everybody's to one who operates. */
export function isListed({ person }: StoredLine, viewer: Viewer): boolean {
  return person === viewer.person || viewer.may.operate
}

/**
 * Whether a viewer sees the question of a run. The own one always. Another's only if everybody in the channel saw the answer, and
 * with the same rights as the run.
 */
export function seesQuestion(line: StoredLine, viewer: Viewer): boolean {
  return line.person === viewer.person || (viewer.may.operate && line.isOpen && line.rights === viewer.rights)
}

/** Returns a line as a viewer sees it. What the viewer may not see is null, and `hidden` is then true. */
export function shownLine(line: ListedLine, viewer: Viewer) {
  const { run: _, isOpen: __, rights: ___, ...shown } = line
  const hidden = !seesQuestion(line, viewer)
  return { ...shown, question: hidden ? null : line.question, hidden }
}

/** Finds runs with what a viewer may see of them at this moment. */
export class ShownRuns {
  readonly #deps: ShownRunsDeps
  readonly #places = new Places({ all: CONSOLE_LIMITS.openRuns, ofOne: CONSOLE_LIMITS.openRunsOfPerson })

  constructor(deps: ShownRunsDeps) {
    this.#deps = deps
  }

  /**
   * Finds a run.
   * @param mostRows the rows of each query
   * @throws Problem 404 for an unknown run and for one that the viewer may not list; StoreError
   */
  async find({ path: { id }, viewer, signal }: AskedRun, mostRows: number = CONSOLE_LIMITS.rows): Promise<ShownRun> {
    const line = await this.#deps.mirror.find(id, signal)
    if (line === undefined || !isListed(line, viewer))
      throw new Problem(404, 'not_found', `There is no run ${id} that you may see.`)
    // A result may have megabytes, and reading one blocks others.
    const leave = await this.#places.wait(viewer.person, signal).catch(() => {
      throw Problem.busy('too_many_results', 'Too many results are being read.', HTTP_LIMITS.busyMs, 503)
    })
    const read =
      line.platform === HTTP_PLATFORM ? this.#ofTurn(line, viewer, signal) : this.#ofRecord(line, viewer, mostRows, signal)
    const result = await read.finally(leave)
    const queries = result?.queries.map(query => ({ ...query, rows: query.rows.slice(0, mostRows) })) ?? []
    return { line, maySee: result !== null, result: result ? { ...result, queries } : undefined }
  }

  /**
   * Finds a run with its result.
   * @throws Problem 404 also if its result is hidden or has expired; StoreError
   */
  async findResult(asked: AskedRun, mostRows?: number) {
    const { line, result } = await this.find(asked, mostRows)
    if (result === undefined) throw new Problem(404, 'no_result', 'This run has no answer that you may see, or it has expired.')
    return { line, result }
  }

  /** A turn belongs to one token, so nobody else sees its content. @returns null for somebody else */
  async #ofTurn(line: ListedLine, viewer: Viewer, signal: AbortSignal): Promise<Result | null | undefined> {
    const isOwn = line.person === viewer.person && line.channel === viewer.caller.token.id
    // The log of steps outlives the turn, and its errors name what the rights of then showed.
    if (!isOwn || line.rights !== viewer.rights) return null
    try {
      const { stored } = await this.#deps.turns.find(viewer.caller, line.id, signal)
      const packed = await this.#deps.turns.packed(stored, signal)
      return packed === null ? undefined : ((await unpackJson(packed)) as RunResult)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }

  /** @returns null for somebody who may not see it */
  async #ofRecord(line: ListedLine, viewer: Viewer, mostRows: number, signal: AbortSignal): Promise<Result | null | undefined> {
    const record = await this.#deps.records.load(line.id, signal)
    const isSeen = seesQuestion(line, viewer) && line.rights === viewer.rights
    // The roles of a channel may add rights to those that its people have in the console. The asker keeps what the buttons give.
    const mayPress = async () => {
      const { workspace, person: name } = viewer.caller.token
      if (record === undefined || workspace !== record.place.workspace || name !== line.person) return false
      return this.#deps.access.mayRead({ user: record.author } as ChatPress, record, signal)
    }
    if (!isSeen && !(await mayPress())) return null
    return record && this.#deps.records.result(record, mostRows, signal)
  }
}
