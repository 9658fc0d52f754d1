import type { ActionName } from '../../chat/action.ts'
import { chatWords } from '../../words/chat.ts'
import type { Language } from '../../words/language.ts'
import { subscriptionWords } from '../../words/subscription.ts'

/** A form with one field, which a press opens. The submitted form is a second press, with a text. */
export interface PressForm {
  readonly title: string
  readonly label: string
  readonly hint?: string
  readonly optional: boolean
}

/** The forms of the buttons that open one. */
export const PRESS_FORMS: Partial<Record<ActionName, (language: Language) => PressForm>> = {
  unhelpful: language => {
    const { unhelpful: title, whatWasWrong: label } = chatWords(language)
    return { title, label, optional: true }
  },
  repeat: language => {
    const { repeat: title, repeatWhen: label, repeatHint: hint } = subscriptionWords(language)
    return { title, label, hint, optional: false }
  },
}
