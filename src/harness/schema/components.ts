/** What else than agents a harness reads, and how its plugins say what is in them. */
import * as v from 'valibot'
import { text, texts } from './atoms.ts'

/** Kinds of files beside agents; `rules` are instructions for some files only. */
export const componentKinds = [
  'skill',
  'command',
  'hooks',
  'servers',
  'instructions',
  'rules',
  'settings',
  'manifest',
] as const

/** By kind: globs, relative to the root of a project or of a plugin. */
export const components = v.record(v.picklist(componentKinds), texts)

export const plugins = v.strictObject({
  /** Files that make a folder a plugin, seen from that folder: the first that is there counts. */
  manifests: texts,
  /** Files that name the plugins of a repository, seen from its root. */
  marketplaces: v.optional(texts, []),
  /** The kind of file that its agents are; its project places are seen from the plugin's folder. */
  carrier: text,
  /** A folder is a plugin also without a manifest, where a marketplace names it. */
  unmarked: v.optional(v.boolean(), false),
  /** What stands between the plugin, the folders in its agents' folder and the agent; absent: only the agent's name counts. */
  separator: v.optional(text),
  /** What a plugin may be called; with another name it is not loaded. */
  name: v.optional(text),
  /** The key of a manifest that names files of agents: then the usual folder is not looked into. */
  agents: v.optional(text),
  /** What a path in it must look like; otherwise the plugin is not loaded. */
  agentPath: v.optional(text),
  /** The way in a marketplace to the folder that plain names of plugins are below. */
  pluginRoot: v.optional(text),
  /** What else is in a plugin. */
  components: v.optional(components, {}),
})
