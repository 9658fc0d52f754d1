/** The form of one kind of id, such as a user's, on a platform. */
interface IdForm {
  readonly pattern: RegExp
  /** The form of the id in words, and where people find it. */
  readonly form: string
}

/** The names and ids of a chat platform that `access.yaml` uses. */
export interface PlatformIds {
  readonly name: string
  readonly ids: Readonly<Record<'workspace' | 'users' | 'groups' | 'channels', IdForm>>
}
