import { z } from 'zod'
import { parseJson } from '../../base/text/parse-json.ts'
import { askerName } from '../../queue/asker.ts'
import type { StateStore } from '../../store/state-store.ts'
import type { FeedbackStore } from './feedback.ts'

const decisionSchema = z.object({ decision: z.enum(['accepted', 'declined']), person: z.string(), at: z.number() })
/** A person's decision about a proposal, and its time. */
export type Decision = z.infer<typeof decisionSchema>

/** A query that a person proposes as a verified one. */
export type Proposal = Awaited<ReturnType<Proposals['all']>>[number]

/** A decision holds this long before its work is done. So a process that dies meanwhile leaves the proposal open. */
const CLAIM_SECONDS = 60

interface ProposalsDeps {
  readonly feedback: Pick<FeedbackStore, 'list'>
  readonly store: Pick<StateStore, 'get' | 'set' | 'setIfUnchanged' | 'delete'>
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
  async open(verified: readonly { readonly question: string }[], signal: AbortSignal): Promise<readonly Proposal[]> {
    const known = new Set(verified.map(({ question }) => question))
    const all = (await this.all(signal)).filter(({ question }) => !known.has(question))
    const decisions = await Promise.all(all.map(({ id }) => this.#decision(id, signal)))
    return all.filter((_, at) => decisions[at] === undefined)
  }

  /** Says who has decided about a proposal. */
  async whyNotOpen(id: string, signal: AbortSignal): Promise<string> {
    const { person = 'Somebody', decision = 'decided' } = (await this.#decision(id, signal)) ?? {}
    return `${person} has ${decision} it already.`
  }

  /**
   * Decides about a proposal. The first decision wins.
   * @param work what the decision does, within seconds. If it throws, nothing is decided
   * @returns what the work returns; undefined if somebody has decided before
   */
  async decide<Done>(id: string, decision: Decision, work: () => Promise<Done>, signal: AbortSignal) {
    const { store, retentionSeconds } = this.#deps
    const [key, text] = [`proposal:${id}`, JSON.stringify(decision)]
    if (!(await store.setIfUnchanged(key, undefined, text, CLAIM_SECONDS, signal))) return undefined
    const done = await work().catch(async (error: unknown) => {
      await store.delete(key, signal)
      throw error
    })
    await store.set(key, text, retentionSeconds, signal)
    return { done }
  }

  async #decision(id: string, signal: AbortSignal): Promise<Decision | undefined> {
    return decisionSchema.safeParse(parseJson((await this.#deps.store.get(`proposal:${id}`, signal)) ?? '')).data
  }

  /** Lists the queries of all helpful answers, newest first. Others may see those that are open. */
  async all(signal: AbortSignal) {
    const helpful = (await this.#deps.feedback.list(signal)).filter(({ verdict }) => verdict === 'helpful')
    const ofRuns = [...new Map(helpful.map(each => [each.runId, each])).values()]
    return ofRuns.flatMap(({ runId, proposes = runId, standaloneQuestion: question, platform, user, at, of, ...given }) =>
      given.sql.map((sql, index) => ({
        ...{ id: `${runId}.${index + 1}`, runId, query: index + 1, question, sql, at },
        /** The run whose answer was helpful, or whose query a person has edited. */
        ofRun: proposes,
        person: askerName({ platform }, user),
        asker: of?.person,
        isOpen: of?.isOpen ?? false,
      })),
    )
  }
}
