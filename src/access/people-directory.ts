/**
 * Asks a platform about its people. `KnownPeople` caches the answers. An error means that the platform cannot answer now. For an unknown
 * group, person or channel, the answer is an empty list.
 */
export interface PeopleDirectory {
  /** Some platforms list the members of a group, others the groups of a member. */
  readonly groups:
    | {
        readonly by: 'group'
        /** The permission that listing a group's members needs. A message tells the operator this permission if the bot lacks it. */
        readonly needs?: string
        membersOf(group: string, signal: AbortSignal): Promise<readonly string[]>
      }
    | { readonly by: 'member'; groupsOf(workspace: string, user: string, signal: AbortSignal): Promise<readonly string[]> }
  /**
   * Returns the people who read in the channel, without Clew. Undefined if the platform does not reveal them to bots, or if the channel has
   * more than `most` people.
   */
  channelMembers(channel: string, most: number, signal: AbortSignal): Promise<readonly string[] | undefined>
}
