import type { Tells } from '../../src/bots/shared/platform-entry.ts'

/** Tells for whom and in which language it was asked. */
export const tells: Tells = {
  usage: async ({ person }, language) => `used by ${person} (${language})`,
  console: async ({ person, workspace }, language) => `link of ${person} in ${workspace} (${language})`,
}
