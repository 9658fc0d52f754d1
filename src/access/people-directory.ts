/**
 * Asks a platform about its people; `KnownPeople` caches the answers. An error means that the platform cannot tell now. An
 * unknown group, member or channel has nobody in it.
 */
export interface PeopleDirectory {
  /** Some platforms list the members of a group, others the groups of a member. */
  readonly groups:
    | {
        readonly by: 'group'
        /** The right that the list needs, for an operator whose bot lacks it. */
        readonly needs?: string
        membersOf(group: string, signal: AbortSignal): Promise<readonly string[]>
      }
    | { readonly by: 'member'; groupsOf(workspace: string, user: string, signal: AbortSignal): Promise<readonly string[]> }
  /** Everybody who reads there, without Clew. Undefined if the platform does not tell bots, or if there are more than `most`. */
  channelMembers(channel: string, most: number, signal: AbortSignal): Promise<readonly string[] | undefined>
}
