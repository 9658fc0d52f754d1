/** The form of a kind of id on a platform, such as a user's id. */
interface IdForm {
  readonly pattern: RegExp
  /** A description of the id's form, and where people find the id. */
  readonly form: string
}

/** The names and ids of a chat platform that `access.yaml` uses. */
export interface PlatformIds {
  readonly name: string
  readonly ids: Readonly<Record<'workspace' | 'users' | 'groups' | 'channels', IdForm>>
}
