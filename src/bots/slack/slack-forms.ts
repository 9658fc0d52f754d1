import type { ModalView } from '@slack/types'
import { z } from 'zod'
import { chatWords } from '../../words/chat-words.ts'
import type { Language } from '../../words/language.ts'
import { slackWords } from '../../words/slack-words.ts'
import { cutText, visibleText } from '../shown-text.ts'
import { writtenText } from '../written-text.ts'
import { SLACK_LIMITS } from './slack-limits.ts'

/** `block_id` of the one field that each form has. */
export const FORM_FIELD = 'words'
const ACTION = 'text'

/** The form of the message shortcut. */
export const QUESTION_FORM = 'ask_about_message'

/** Where a form was opened from: it comes back with nothing else. */
export const formOriginSchema = z.object({
  channel: z.string().min(1),
  thread: z.string().min(1),
  message: z.string().min(1),
  /** What the form belongs to was done then: Unix time in microseconds. */
  order: z.number().int().positive(),
  responseUrl: z.string().optional(),
})
export type FormOrigin = z.infer<typeof formOriginSchema>

/** Asks what was wrong with an answer. @param callbackId comes back with what is written */
export function reasonForm(callbackId: string, origin: FormOrigin, language: Language): ModalView {
  const { unhelpful: title, whatWasWrong: label } = chatWords(language)
  const { send: submit, cancel } = slackWords(language)
  return form(callbackId, origin, {
    title,
    submit,
    cancel,
    label,
    maxLength: SLACK_LIMITS.modalReason,
    optional: true,
  })
}

/**
 * Asks for a question about a message, whose own text stands there already. A message is seldom a question as it stands, and it is somebody else's; what is
 * asked is read by all in its thread, under the asker's name. So it is not asked at once: its asker sees it first, and may word it anew.
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

interface FormText {
  readonly title: string
  readonly submit: string
  readonly cancel: string
  readonly label: string
  readonly hint?: string
  readonly initialValue?: string
  readonly maxLength: number
  readonly optional: boolean
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

/** A form as it was submitted. */
export interface SubmittedForm {
  /** Slack's id of the form that was open: the same however often it comes. */
  readonly id: string
  readonly callbackId: string
  readonly origin: FormOrigin
  readonly text: string
}

/** Reads the `view` of a `view_submission`; undefined for anything but a form of ours. */
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
    text: writtenText(written, sent => visibleText(sent).trim()),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
