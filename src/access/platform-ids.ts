/** How one kind of id looks on a platform, such as a user's id. */
interface IdForm {
  readonly pattern: RegExp
  /** A description for people: how the id looks, and where to find it. */
  readonly form: string
}

/** The names and ids of a chat platform that `access.yaml` uses. */
export interface PlatformIds {
  readonly name: string
  readonly ids: Readonly<Record<'workspace' | 'users' | 'groups' | 'channels', IdForm>>
}
