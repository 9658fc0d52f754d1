/**
 * What a platform tells of its people. Whatever these throw means that it does not tell now; a group, member or channel that is not there has nobody.
 * They ask the platform each time: `KnownPeople` keeps what they say.
 */
export interface PeopleDirectory {
  /** Slack tells the members of a group, Discord the groups of a member. */
  readonly groups:
    | { readonly by: 'group'; membersOf(group: string, signal: AbortSignal): Promise<readonly string[]> }
    | { readonly by: 'member'; groupsOf(workspace: string, user: string, signal: AbortSignal): Promise<readonly string[]> }
  /** Whoever sees what is posted there, without Clew itself; undefined where the platform does not tell bots, or there are more than `most`. */
  channelMembers(channel: string, most: number, signal: AbortSignal): Promise<readonly string[] | undefined>
}
