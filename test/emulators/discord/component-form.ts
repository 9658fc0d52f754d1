import { DISCORD_LIMITS } from './discord-limits.ts'
import { type FindUpload, readUrl } from './embed-form.ts'
import type { FormErrors } from './form-errors.ts'
import { isObject, type JsonObject } from './json.ts'

type Path = readonly (string | number)[]

/** Discord documents this in components/reference, "Component Types". */
export const COMPONENT = {
  actionRow: 1,
  button: 2,
  stringSelect: 3,
  textInput: 4,
  userSelect: 5,
  roleSelect: 6,
  mentionableSelect: 7,
  channelSelect: 8,
  section: 9,
  textDisplay: 10,
  thumbnail: 11,
  mediaGallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
} as const

const SELECTS: readonly unknown[] = [
  COMPONENT.stringSelect,
  COMPONENT.userSelect,
  COMPONENT.roleSelect,
  COMPONENT.mentionableSelect,
  COMPONENT.channelSelect,
]
const TOP_LEVEL = [
  COMPONENT.actionRow,
  COMPONENT.section,
  COMPONENT.textDisplay,
  COMPONENT.mediaGallery,
  COMPONENT.file,
  COMPONENT.separator,
]
export const LINK_BUTTON = 5

/** Checks the components of a message or a modal form, and collects all mistakes. */
export class ComponentForm {
  readonly #errors: FormErrors
  readonly #findUpload: FindUpload
  readonly #customIds = new Set<string>()
  #count = 0
  #textLength = 0

  constructor(errors: FormErrors, findUpload: FindUpload) {
    this.#errors = errors
    this.#findUpload = findUpload
  }

  /** @returns the components as Discord stores them: each with a number, and with the addresses of uploaded files */
  message(value: unknown, isV2: boolean): readonly JsonObject[] {
    const list = this.#errors.list(['components'], value)
    if (!isV2) {
      if (!this.#errors.length(['components'], list, { most: DISCORD_LIMITS.actionRows })) return []
      return list.map((item, index) => this.#component(['components', index], item, [COMPONENT.actionRow]))
    }
    const components = list.map((item, index) =>
      this.#component(['components', index], item, [...TOP_LEVEL, COMPONENT.container]),
    )
    if (this.#count > DISCORD_LIMITS.components) {
      this.#errors.add(
        ['components'],
        'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
        `The total number of components cannot exceed ${DISCORD_LIMITS.components}`,
      )
    }
    if (this.#textLength > DISCORD_LIMITS.componentText) {
      this.#errors.add(
        ['components'],
        'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
        `The total displayable text size cannot exceed ${DISCORD_LIMITS.componentText}`,
      )
    }
    return components
  }

  modal(value: unknown): readonly JsonObject[] {
    const path = ['data', 'components']
    const list = this.#errors.list(path, value)
    if (!this.#errors.length(path, list, { least: 1, most: DISCORD_LIMITS.modalComponents })) return []
    const allowed = [COMPONENT.actionRow, COMPONENT.textDisplay, COMPONENT.label]
    return list.map((item, index) => this.#component([...path, index], item, allowed, true))
  }

  #component(path: Path, item: unknown, allowed: readonly number[], isModal = false): JsonObject {
    this.#count += 1
    const id = this.#count
    if (!isObject(item) || typeof item.type !== 'number' || !allowed.includes(item.type)) {
      this.#errors.choices([...path, 'type'], allowed)
      return {}
    }
    const children = (key: string, types: readonly number[], most: number) => {
      const list = this.#errors.list([...path, key], item[key])
      if (!this.#errors.length([...path, key], list, { least: 1, most })) return []
      return list.map((child, index) => this.#component([...path, key, index], child, types, isModal))
    }
    switch (item.type) {
      case COMPONENT.actionRow: {
        const types = isModal ? [COMPONENT.textInput] : [COMPONENT.button, ...SELECTS.filter(type => typeof type === 'number')]
        const components = children('components', types, isModal ? 1 : DISCORD_LIMITS.buttons)
        if (components.length > 1 && components.some(child => SELECTS.includes(child.type))) {
          this.#errors.add(path, 'COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'The specified component exceeds the maximum width')
        }
        return { id, type: item.type, components }
      }
      case COMPONENT.button:
        return { id, ...this.#button(path, item) }
      case COMPONENT.textInput:
        return { id, ...this.#textInput(path, item) }
      case COMPONENT.textDisplay:
        return { id, type: item.type, content: this.#displayText([...path, 'content'], item.content) }
      case COMPONENT.section:
        return {
          id,
          type: item.type,
          components: children('components', [COMPONENT.textDisplay], 3),
          accessory: this.#component([...path, 'accessory'], item.accessory, [COMPONENT.button, COMPONENT.thumbnail]),
        }
      case COMPONENT.container:
        return { id, ...item, components: children('components', TOP_LEVEL, DISCORD_LIMITS.components) }
      case COMPONENT.label:
        return {
          id,
          ...item,
          label: this.#errors.string([...path, 'label'], item.label, {
            least: 1,
            most: DISCORD_LIMITS.textInputLabel,
            required: true,
          }),
          component: this.#component([...path, 'component'], item.component, [COMPONENT.textInput, COMPONENT.stringSelect], true),
        }
      case COMPONENT.thumbnail:
        return { id, ...item, media: this.#media([...path, 'media'], item.media) }
      case COMPONENT.file:
        return { id, ...item, file: this.#media([...path, 'file'], item.file) }
      case COMPONENT.mediaGallery: {
        const items = this.#errors.list([...path, 'items'], item.items)
        this.#errors.length([...path, 'items'], items, { least: 1, most: 10 })
        const shown = items
          .filter(isObject)
          .map((one, index) => ({ ...one, media: this.#media([...path, 'items', index, 'media'], one.media) }))
        return { id, type: item.type, items: shown }
      }
      case COMPONENT.separator:
        return { id, ...item }
      default:
        return { id, ...this.#select(path, item) }
    }
  }

  /** Discord documents this in components/reference, "Button Structure". */
  #button(path: Path, button: JsonObject): JsonObject {
    const errors = this.#errors
    const { style, emoji } = button
    if (typeof style !== 'number' || style < 1 || style > 6) errors.choices([...path, 'style'], [1, 2, 3, 4, 5, 6])
    const label = errors.string([...path, 'label'], button.label, { most: DISCORD_LIMITS.buttonLabel })
    if ((label ?? '') === '' && !isObject(emoji) && style !== 6) {
      errors.add([...path, 'label'], 'BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED', 'A label or an emoji is required')
    }
    if (style === LINK_BUTTON) {
      if (button.custom_id !== undefined) {
        errors.add(path, 'BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE', 'A custom id and url cannot both be specified')
      }
      errors.length([...path, 'url'], String(button.url ?? ''), { least: 1, most: DISCORD_LIMITS.buttonUrl })
      readUrl([...path, 'url'], button.url, errors)
    } else {
      if (button.url !== undefined)
        errors.add([...path, 'url'], 'BUTTON_COMPONENT_URL_NOT_ALLOWED', 'Only link buttons have a url')
      this.#customId(path, button)
    }
    return { ...button }
  }

  #select(path: Path, select: JsonObject): JsonObject {
    this.#customId(path, select)
    this.#errors.string([...path, 'placeholder'], select.placeholder, { most: DISCORD_LIMITS.placeholder })
    if (select.type !== COMPONENT.stringSelect) return { ...select }
    const options = this.#errors.list([...path, 'options'], select.options)
    if (this.#errors.length([...path, 'options'], options, { least: 1, most: DISCORD_LIMITS.selectOptions })) {
      for (const [index, option] of options.entries()) {
        for (const key of ['label', 'value'] as const) {
          const value = isObject(option) ? option[key] : undefined
          this.#errors.string([...path, 'options', index, key], value, {
            least: 1,
            most: DISCORD_LIMITS.selectOption,
            required: true,
          })
        }
      }
    }
    return { ...select }
  }

  #textInput(path: Path, input: JsonObject): JsonObject {
    this.#customId(path, input)
    if (input.style !== 1 && input.style !== 2) this.#errors.choices([...path, 'style'], [1, 2])
    const isInLabel = path.at(-1) === 'component'
    const rule = { least: isInLabel ? 0 : 1, most: DISCORD_LIMITS.textInputLabel, required: !isInLabel }
    this.#errors.string([...path, 'label'], input.label, rule)
    this.#errors.string([...path, 'placeholder'], input.placeholder, { most: DISCORD_LIMITS.textInputPlaceholder })
    this.#errors.string([...path, 'value'], input.value, { most: DISCORD_LIMITS.textInput })
    return { ...input }
  }

  #customId(path: Path, component: JsonObject): void {
    const rule = { least: 1, most: DISCORD_LIMITS.customId, required: true }
    const customId = this.#errors.string([...path, 'custom_id'], component.custom_id, rule)
    if (customId === undefined) return
    if (this.#customIds.has(customId)) {
      this.#errors.add([...path, 'custom_id'], 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
    }
    this.#customIds.add(customId)
  }

  #displayText(path: Path, value: unknown): string {
    const text = this.#errors.string(path, value, { least: 1, most: DISCORD_LIMITS.componentText, required: true }) ?? ''
    this.#textLength += text.length
    return text
  }

  #media(path: Path, value: unknown): JsonObject {
    const url = readUrl([...path, 'url'], isObject(value) ? value.url : undefined, this.#errors, this.#findUpload)
    if (url === undefined) this.#errors.required([...path, 'url'])
    return { url: url ?? '' }
  }
}

/** Returns all components of a message, including nested ones, in order. */
export function allComponents(components: readonly JsonObject[]): readonly JsonObject[] {
  return components.flatMap(component => {
    const nested = [...asList(component.components), component.accessory, component.component].filter(isObject)
    return [component, ...allComponents(nested)]
  })
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
