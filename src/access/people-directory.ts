/**
 * Asks a platform about its people. `KnownPeople` caches the answers. An error means that the platform cannot answer now. For an
 * unknown group, person or channel, the list is empty.
 */
export interface PeopleDirectory {
  /** Whether the platform lists the members of a group, or the groups of a member. */
  readonly groups:
    | {
        readonly by: 'group'
        /** The permission that the bot needs to list a group's members. If it is missing, a message tells the operator. */
        readonly needs?: string
        membersOf(group: string, signal: AbortSignal): Promise<readonly string[]>
      }
    | { readonly by: 'member'; groupsOf(workspace: string, user: string, signal: AbortSignal): Promise<readonly string[]> }
  /**
   * Returns the people who can read the channel, except Clew. Undefined if the platform does not list them for bots, or if there
   * are more than `most`.
   */
  channelMembers(channel: string, most: number, signal: AbortSignal): Promise<readonly string[] | undefined>
}
