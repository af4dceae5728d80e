/** What a project or a plugin holds for a harness besides agents. */

/** In the order of lists. */
export const componentKinds = ['plugin', 'marketplace', 'instructions', 'skill', 'command', 'server', 'hook'] as const

export type ComponentKind = (typeof componentKinds)[number]

/** Kinds that have files of their own, or a part of one; the others hold them. */
export type PartKind = Exclude<ComponentKind, 'plugin' | 'marketplace'>
