import { allComponents, COMPONENT } from './component-form.ts'
import { MESSAGE_FLAG, type MessageBody } from './discord-model.ts'
import { isObject, type JsonObject } from './json.ts'
import { type Names, type ShownText, showMarkdown } from './markdown.ts'

/** A button as it is shown below a message. */
export interface ShownButton {
  readonly label: string
  readonly customId: string | undefined
  readonly url: string | undefined
  readonly style: number
  readonly isDisabled: boolean
}

/** A message in the form in which a person reads it. */
export interface RenderedMessage {
  /** All visible text of the message, without Markdown symbols. Labels of buttons are not included. */
  readonly plain: string
  /** True if the message has an embed, or components of version 2. */
  readonly isRich: boolean
  /** The mentions that really notify somebody: user ids, roles as `&id`, and `everyone` or `here`. */
  readonly pings: readonly string[]
  /** All addresses that the message links to, loads, or opens by a button. Files uploaded with the message are not included. */
  readonly links: readonly string[]
  /** The addresses in the text for which Discord would show a preview. */
  readonly unfolded: readonly string[]
  readonly buttons: readonly ShownButton[]
}

/** Renders a message as Discord's clients do. Addresses that begin with `ownUploads` are files of messages. */
export function renderMessage(body: MessageBody, names: Names, ownUploads: string): RenderedMessage {
  const hidesEmbeds = (body.flags & MESSAGE_FLAG.suppressEmbeds) !== 0
  const embeds = hidesEmbeds ? [] : body.embeds
  const components = allComponents(body.components)
  const content = showMarkdown(body.content, names)
  const texts = [
    content,
    ...embeds.flatMap(embed => embedTexts(embed, names)),
    ...components.flatMap(component => componentTexts(component, names)),
  ]
  const loaded = [...embeds, ...components.filter(component => component.type !== COMPONENT.button)].flatMap(mediaAddresses)
  const buttons = components.filter(component => component.type === COMPONENT.button).map(shownButton)
  const links = [...texts.flatMap(text => text.links), ...loaded, ...buttons.flatMap(button => button.url ?? [])]
  return {
    plain: texts
      .map(text => text.plain)
      .filter(plain => plain !== '')
      .join('\n'),
    isRich: embeds.length > 0 || (body.flags & MESSAGE_FLAG.componentsV2) !== 0,
    pings: [...body.mentions.users, ...body.mentions.roles.map(id => `&${id}`), ...body.mentions.groups],
    links: [...new Set(links)].filter(address => !address.startsWith(ownUploads)),
    unfolded: hidesEmbeds ? [] : [...new Set(content.unfolded)],
    buttons,
  }
}

/** Returns the texts of an embed in the order in which people see them. In the author, field names and footer, links do not work. */
function embedTexts(embed: JsonObject, names: Names): readonly ShownText[] {
  const author = isObject(embed.author) ? embed.author : {}
  const footer = isObject(embed.footer) ? embed.footer : {}
  const fields = Array.isArray(embed.fields) ? embed.fields.filter(isObject) : []
  const addressed = (text: unknown, address: unknown): ShownText => ({
    plain: asText(text),
    links: typeof address === 'string' ? [address] : [],
    unfolded: [],
  })
  const title = showMarkdown(asText(embed.title), names)
  return [
    addressed(author.name, author.url),
    { ...title, links: [...title.links, ...addressed('', embed.url).links] },
    showMarkdown(asText(embed.description), names),
    ...fields.flatMap(field => [showMarkdown(asText(field.name), names), showMarkdown(asText(field.value), names)]),
    addressed(footer.text, undefined),
  ]
}

function componentTexts(component: JsonObject, names: Names): readonly ShownText[] {
  return component.type === COMPONENT.textDisplay ? [showMarkdown(asText(component.content), names)] : []
}

/** Returns the addresses of images, thumbnails and icons. Clients load them without a click. */
function mediaAddresses(value: JsonObject): readonly string[] {
  const items = Array.isArray(value.items) ? value.items.filter(isObject).map(item => item.media) : []
  const holders = [value.image, value.thumbnail, value.media, value.file, ...items].filter(isObject).map(holder => holder.url)
  const icons = [value.author, value.footer].filter(isObject).map(holder => holder.icon_url)
  return [...holders, ...icons].flatMap(address => (typeof address === 'string' ? [address] : []))
}

function shownButton(button: JsonObject): ShownButton {
  return {
    label: asText(button.label),
    customId: typeof button.custom_id === 'string' ? button.custom_id : undefined,
    url: typeof button.url === 'string' ? button.url : undefined,
    style: Number(button.style),
    isDisabled: button.disabled === true,
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
