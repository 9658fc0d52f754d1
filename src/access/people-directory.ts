/**
 * Asks a platform about its people; `KnownPeople` caches the answers. An error means that the platform cannot tell now. An
 * unknown group, member or channel has nobody in it.
 */
export interface PeopleDirectory {
  /** Slack lists the members of a group, Discord the groups of a member. */
  readonly groups:
    | { readonly by: 'group'; membersOf(group: string, signal: AbortSignal): Promise<readonly string[]> }
    | { readonly by: 'member'; groupsOf(workspace: string, user: string, signal: AbortSignal): Promise<readonly string[]> }
  /** Everybody who reads there, without Clew. Undefined if the platform does not tell bots, or if there are more than `most`. */
  channelMembers(channel: string, most: number, signal: AbortSignal): Promise<readonly string[] | undefined>
}
