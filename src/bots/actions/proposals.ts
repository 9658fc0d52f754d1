import { z } from 'zod'
import { parseJson } from '../../base/text/parse-json.ts'
import { askerName } from '../../queue/asker.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { FeedbackStore } from './feedback.ts'

/** A query that a person proposes as a verified one. */
export interface Proposal {
  /** The feedback's run and the number of its query: `run_0123456789abcdef.1` for Q1. */
  readonly id: string
  readonly runId: string
  /** The run whose answer was helpful, or whose query a person has edited. */
  readonly ofRun: string
  readonly query: number
  readonly question: string
  readonly sql: string
  /** Who found the answer helpful, and who asked, as `slack/U1`. */
  readonly person: string
  readonly asker: string | undefined
  /** Whether other people may see it: it stands in an answer that a whole channel saw, or was proposed to those who decide. */
  readonly isOpen: boolean
  /** Unix time in milliseconds. */
  readonly at: number
}

const decisionSchema = z.object({ decision: z.enum(['accepted', 'declined']), person: z.string(), at: z.number() })
/** What a person decided about a proposal, and when. */
export type Decision = z.infer<typeof decisionSchema>

interface ProposalsDeps {
  readonly feedback: Pick<FeedbackStore, 'list'>
  readonly store: Pick<StateStore, 'get' | 'set'>
  /** How long a decision is kept: as long as the feedback that it is about. */
  readonly retentionSeconds: number
}

/** The queries of helpful answers, until somebody decides about them. Methods throw StoreError. */
export class Proposals {
  readonly #deps: ProposalsDeps

  constructor(deps: ProposalsDeps) {
    this.#deps = deps
  }

  /**
   * Lists the proposals that nobody has decided about, newest first.
   * @param verified leaves out their questions
   */
  async open(verified: readonly Pick<Proposal, 'question'>[], signal: AbortSignal): Promise<readonly Proposal[]> {
    const known = new Set(verified.map(({ question }) => question))
    const all = (await this.all(signal)).filter(({ question }) => !known.has(question))
    const decisions = await Promise.all(all.map(({ id }) => this.decision(id, signal)))
    return all.filter((_, at) => decisions[at] === undefined)
  }

  /** Returns what was decided about a proposal. Undefined if nothing was. */
  async decision(id: string, signal: AbortSignal): Promise<Decision | undefined> {
    return decisionSchema.safeParse(parseJson((await this.#deps.store.get(keyOf(id), signal)) ?? '')).data
  }

  async decide(id: string, decision: Decision, signal: AbortSignal): Promise<void> {
    await this.#deps.store.set(keyOf(id), JSON.stringify(decision), this.#deps.retentionSeconds, signal)
  }

  /** Lists the queries of all helpful answers, newest first. */
  async all(signal: AbortSignal): Promise<readonly Proposal[]> {
    const helpful = (await this.#deps.feedback.list(signal)).filter(({ verdict }) => verdict === 'helpful')
    const ofRuns = [...new Map(helpful.map(each => [each.runId, each])).values()]
    return ofRuns.flatMap(({ runId, proposes, standaloneQuestion: question, sql, platform, user, at, of }) =>
      sql.map((text, index) => {
        const query = index + 1
        const by = { person: askerName({ platform }, user), asker: of?.person, isOpen: of?.isOpen ?? false, at }
        return { id: `${runId}.${query}`, runId, ofRun: proposes ?? runId, query, question, sql: text, ...by }
      }),
    )
  }
}

function keyOf(id: string): string {
  return `proposal:${id}`
}
