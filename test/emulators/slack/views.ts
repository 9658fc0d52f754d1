import { z } from 'zod'
import { ApiRefusal } from './api-refusal.ts'
import { parseBlocks } from './block-validation.ts'
import type { AppIdentity, JsonObject } from './message-payload.ts'
import { plainText } from './rendered-message.ts'
import { SLACK_LIMITS } from './slack-limits.ts'
import type { Block, SlackUser } from './slack-model.ts'
import type { Deliverer, Delivery } from './socket-mode.ts'
import type { Triggers } from './triggers.ts'
import { homeSchema, modalSchema } from './view-schemas.ts'
import type { Workspace } from './workspace.ts'

/** A form as the person with this form sees it. */
export interface ShownModal {
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
  /** The visible text of the form. The contents of its fields are not included. */
  readonly plain: string
  /** The texts in the fields. The key is the field's `block_id`. */
  readonly values: { readonly [blockId: string]: string }
  /** The mistakes that the app reported for the last submission. The key is the field's `block_id`. */
  readonly errors: { readonly [blockId: string]: string }
}

/** The app's home tab as its person sees it. */
export interface ShownHome {
  readonly blocks: readonly Block[]
  readonly plain: string
}

interface OpenModal extends ShownModal {
  readonly user: string
  readonly payload: JsonObject
  readonly notifiesOnClose: boolean
  errors: { readonly [blockId: string]: string }
}

const inputSchema = z.object({
  type: z.literal('input'),
  block_id: z.string(),
  optional: z.boolean().default(false),
  element: z.object({ action_id: z.string(), initial_value: z.string().default(''), max_length: z.number().optional() }),
})

/** Slack documents this at docs.slack.dev/surfaces/modals, "Displaying errors in views". */
const responseSchema = z.object({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) })

/** Forms and home tabs: what the app shows in them, and what people do with them. */
export class Views {
  readonly #workspace: Workspace
  readonly #app: AppIdentity
  readonly #deliverer: Deliverer
  readonly #triggers: Triggers
  readonly #modals = new Map<string, OpenModal>()
  readonly #homes = new Map<string, ShownHome>()
  readonly #submissions = new WeakMap<Delivery, OpenModal>()

  constructor(options: { workspace: Workspace; app: AppIdentity; deliverer: Deliverer; triggers: Triggers }) {
    this.#workspace = options.workspace
    this.#app = options.app
    this.#deliverer = options.deliverer
    this.#triggers = options.triggers
  }

  /** @throws ApiRefusal as listed in docs.slack.dev/reference/methods/views.open */
  open(triggerId: string, view: unknown): JsonObject {
    const { blocks, ...modal } = parseView(modalSchema, view)
    const parsed = parseBlocks(blocks, () => this.#workspace.newId('b'), 'view')
    const inputs = parsed.flatMap(block => inputSchema.safeParse(block).data ?? [])
    if (inputs.length > 0 && modal.submit === undefined) throw invalid('missing required field: submit', '/view')
    const user = this.#triggers.exchange(triggerId)
    const payload = this.#payload({ ...modal, blocks: parsed })
    const id = String(payload.id)
    this.#modals.set(user, {
      id,
      user,
      title: modal.title.text,
      blocks: parsed,
      plain: plainText({ text: '', blocks: parsed }),
      values: Object.fromEntries(inputs.map(input => [input.block_id, input.element.initial_value])),
      errors: {},
      payload,
      notifiesOnClose: modal.notify_on_close === true,
    })
    return payload
  }

  /** @throws ApiRefusal as listed in docs.slack.dev/reference/methods/views.publish */
  publish(user: string, view: unknown): JsonObject {
    if (!this.#workspace.users.has(user)) throw invalid('invalid `user_id`', '/user_id')
    const { blocks, ...home } = parseView(homeSchema, view)
    const parsed = parseBlocks(blocks, () => this.#workspace.newId('b'), 'view')
    this.#homes.set(user, { blocks: parsed, plain: plainText({ text: '', blocks: parsed }) })
    return this.#payload({ ...home, blocks: parsed })
  }

  modal(user: string): ShownModal | undefined {
    return this.#modals.get(user)
  }

  home(user: string): ShownHome | undefined {
    return this.#homes.get(user)
  }

  /** Slack documents this at docs.slack.dev/reference/interaction-payloads/view-interactions-payload, "view_submission". */
  submit(user: SlackUser, texts: { readonly [blockId: string]: string }): Delivery {
    const modal = this.#requireModal(user)
    const values = { ...modal.values, ...texts }
    const inputs = modal.blocks.flatMap(block => inputSchema.safeParse(block).data ?? [])
    for (const { block_id: id, optional, element } of inputs) {
      const value = values[id] ?? ''
      if (value === '' && !optional) throw new Error(`The form wants something in ${id}`)
      if (value.length > (element.max_length ?? SLACK_LIMITS.inputText)) throw new Error(`The form wants less in ${id}`)
    }
    const state = inputs.map(({ block_id: id, element }) => [
      id,
      { [element.action_id]: { type: 'plain_text_input', value: values[id] === '' ? null : values[id] } },
    ])
    const delivery = this.#deliver('view_submission', user, {
      trigger_id: this.#triggers.issue(user.id),
      view: { ...modal.payload, state: { values: Object.fromEntries(state) } },
      response_urls: [],
    })
    this.#modals.set(user.id, { ...modal, values })
    this.#submissions.set(delivery, modal)
    return delivery
  }

  /** Sent only if the view asks for this event: docs.slack.dev/reference/interaction-payloads/view-interactions-payload, "view_closed". */
  close(user: SlackUser): Delivery | undefined {
    const modal = this.#requireModal(user)
    this.#modals.delete(user.id)
    if (!modal.notifiesOnClose) return undefined
    return this.#deliver('view_closed', user, { view: modal.payload, is_cleared: false })
  }

  /** Closes a form after the app's acknowledgement, unless the acknowledgement reports mistakes. */
  acknowledged(delivery: Delivery): void {
    const submitted = this.#submissions.get(delivery)
    const modal = submitted && this.#modals.get(submitted.user)
    if (modal === undefined || modal.id !== submitted?.id) return
    const response = responseSchema.safeParse(delivery.response)
    if (response.success) modal.errors = response.data.errors
    else this.#modals.delete(modal.user)
  }

  #requireModal(user: SlackUser): OpenModal {
    const modal = this.#modals.get(user.id)
    if (modal === undefined) throw new Error(`${user.name} has no form open`)
    return modal
  }

  #deliver(type: string, user: SlackUser, fields: JsonObject): Delivery {
    return this.#deliverer.deliver('interactive', {
      type,
      team: { id: this.#workspace.teamId, domain: this.#workspace.teamName },
      user: { id: user.id, username: user.name, name: user.name, team_id: this.#workspace.teamId },
      api_app_id: this.#app.appId,
      token: 'emulated-verification-token',
      is_enterprise_install: false,
      enterprise: null,
      ...fields,
    })
  }

  #payload(view: JsonObject): JsonObject {
    const id = this.#workspace.newId('V')
    return {
      private_metadata: '',
      callback_id: '',
      ...view,
      id,
      team_id: this.#workspace.teamId,
      state: { values: {} },
      hash: `${this.#workspace.newTimestamp()}`,
      root_view_id: id,
      previous_view_id: null,
      app_id: this.#app.appId,
      app_installed_team_id: this.#workspace.teamId,
      bot_id: this.#app.botId,
    }
  }
}

function parseView<Schema extends z.ZodType>(schema: Schema, view: unknown): z.output<Schema> {
  if (JSON.stringify(view ?? null).length > SLACK_LIMITS.viewBytes) throw new ApiRefusal('view_too_large')
  const parsed = schema.safeParse(view)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw invalid(issue?.message ?? 'invalid view', `/view/${issue?.path.map(String).join('/') ?? ''}`)
}

function invalid(message: string, pointer: string): ApiRefusal {
  return new ApiRefusal('invalid_arguments', {
    response_metadata: { messages: [`[ERROR] ${message} [json-pointer:${pointer}]`] },
  })
}
