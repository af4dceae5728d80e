/** The commands there are; each is loaded only when it is called. */
import type { Command, CommandEntry } from './command.ts'

export const commands: Readonly<Record<string, CommandEntry>> = {
  list: {
    summary: 'every agent here, in every dialect',
    load: async () => (await import('./list.ts')).list,
  },
  show: {
    summary: 'one agent, as Troupe understands it',
    load: async () => (await import('./show.ts')).show,
  },
  check: {
    summary: 'what is wrong, and what each harness will do about it',
    load: async () => (await import('./check.ts')).check,
  },
  convert: {
    summary: 'agents of one dialect into another, with every loss accounted for',
    load: async () => (await import('./convert.ts')).convert,
  },
  init: {
    summary: 'a troupe.yaml that fits this project',
    load: async () => (await import('./init.ts')).init,
  },
  new: {
    summary: 'a draft of an agent, in any dialect',
    load: async () => (await import('./new.ts')).newAgent,
  },
  build: {
    summary: 'all targets in step with one source',
    load: async () => (await import('./build.ts')).build,
  },
  diff: {
    summary: 'how much of each prompt stands in another folder too, line by line',
    load: async () => (await import('./diff.ts')).diff,
  },
  import: {
    summary: 'a folder of agents into one PromptScript file',
    load: async () => (await import('./import.ts')).importCommand,
  },
  verify: {
    summary: 'what your harness really does with your agents',
    load: async () => (await import('./verify.ts')).verify,
  },
  explain: {
    summary: 'which rule decides whether an agent may do something',
    load: async () => (await import('./explain.ts')).explain,
  },
  harnesses: {
    summary: 'what each harness can express, and how we know',
    load: async () => (await import('./harnesses.ts')).harnesses,
  },
  work: {
    summary: 'agents as a team: handoffs that survive anything',
    load: async () => (await import('./work.ts')).work,
  },
  mcp: {
    summary: 'the team tools, as an MCP server for a harness',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  completion: {
    summary: 'completion for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionOf(commands),
  },
  hud: {
    summary: 'status sections that agents see in their prompts',
    load: async () => (await import('./hud.ts')).hud,
  },
  undo: {
    summary: 'take back the last run',
    load: async () => (await import('./undo.ts')).undo,
  },
}

export async function overview(): Promise<Command> {
  return (await import('./overview.ts')).overview
}
