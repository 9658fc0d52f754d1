import type { ModalView } from '@slack/types'
import { z } from 'zod'
import { parseJson } from '../../../base/text/parse-json.ts'
import { actionId, type PressedAction } from '../../../chat/action.ts'
import type { Language } from '../../../words/language.ts'
import { slackWords } from '../../../words/slack.ts'
import type { PressForm } from '../../shared/press-forms.ts'
import { cutText, shownText } from '../../shared/shown-text.ts'
import { writtenText } from '../../shared/written-text.ts'
import { SLACK_LIMITS } from '../limits.ts'

/** The `block_id` of a form's field. A form has one field. */
export const FORM_FIELD = 'words'
const ACTION = 'text'

export const QUESTION_FORM = 'ask_about_message'

/**
 * The place and the message from which a form was opened. The form carries them along, because Slack does not send them with a
 * submitted form.
 */
export const formOriginSchema = z.object({
  channel: z.string().min(1),
  thread: z.string().min(1),
  message: z.string().min(1),
  /** The time of the action that opened the form, as Unix time in microseconds. */
  order: z.number().int().positive(),
  responseUrl: z.string().optional(),
})
export type FormOrigin = z.infer<typeof formOriginSchema>

/** Builds the form that a press opens. */
export function formOfPress(pressed: PressedAction, origin: FormOrigin, words: PressForm, language: Language): ModalView {
  const { send: submit, cancel } = slackWords(language)
  return form(actionId({ ...pressed, label: '' }), origin, { ...words, submit, cancel, maxLength: SLACK_LIMITS.modalReason })
}

/**
 * Builds the form for a question about a message. The field starts with the message's text, so that the asker can rewrite it. The
 * text is often somebody else's and not a question, but everybody in the thread later sees the submitted text under the asker's
 * name.
 */
export function questionForm(text: string, origin: FormOrigin, language: Language): ModalView {
  const { inputText } = SLACK_LIMITS
  const { questionForm: words, cancel } = slackWords(language)
  const written = cutText(text, inputText / 2)
  return form(QUESTION_FORM, origin, {
    ...words,
    cancel,
    maxLength: inputText,
    optional: false,
    ...(written === '' ? {} : { initialValue: written }),
  })
}

interface FormText extends PressForm {
  readonly submit: string
  readonly cancel: string
  readonly initialValue?: string
  readonly maxLength: number
}

function form(callbackId: string, origin: FormOrigin, field: FormText): ModalView {
  const plain = (text: string) => ({ type: 'plain_text' as const, text, emoji: false })
  return {
    type: 'modal',
    callback_id: callbackId,
    private_metadata: JSON.stringify(origin),
    title: plain(field.title),
    submit: plain(field.submit),
    close: plain(field.cancel),
    blocks: [
      {
        type: 'input',
        block_id: FORM_FIELD,
        optional: field.optional,
        label: plain(field.label),
        ...(field.hint === undefined ? {} : { hint: plain(field.hint) }),
        element: {
          type: 'plain_text_input',
          action_id: ACTION,
          multiline: true,
          max_length: field.maxLength,
          ...(field.initialValue === undefined ? {} : { initial_value: field.initialValue }),
        },
      },
    ],
  }
}

const submissionSchema = z.object({
  id: z.string().min(1),
  callback_id: z.string(),
  private_metadata: z.string(),
  state: z.object({ values: z.record(z.string(), z.record(z.string(), z.object({ value: z.string().nullish() }))) }),
})

export interface SubmittedForm {
  /** Slack's id of the form. It stays the same if Slack sends the form again. */
  readonly id: string
  readonly callbackId: string
  readonly origin: FormOrigin
  readonly text: string
}

/** Parses the `view` of a `view_submission`. Undefined if the form is not Clew's. */
export function readForm(view: unknown): SubmittedForm | undefined {
  const parsed = submissionSchema.safeParse(view)
  if (!parsed.success) return undefined
  const origin = formOriginSchema.safeParse(parseJson(parsed.data.private_metadata))
  if (!origin.success) return undefined
  const written = parsed.data.state.values[FORM_FIELD]?.[ACTION]?.value ?? ''
  return {
    id: parsed.data.id,
    callbackId: parsed.data.callback_id,
    origin: origin.data,
    text: writtenText(written, sent => shownText(sent).trim()),
  }
}
