/** The form of one kind of id. */
interface IdForm {
  readonly pattern: RegExp
  /** In words, with the place where people find it. */
  readonly form: string
}

/** A chat platform, as `access.yaml` names it. */
export interface PlatformIds {
  readonly name: string
  readonly ids: Readonly<Record<'workspace' | 'users' | 'groups' | 'channels', IdForm>>
}
