/** Access: layers of rules, what each native name grants, how calls are compared, fixed agent types. */
import * as v from 'valibot'
import { syntaxes } from '../../model/access/patterns.ts'
import { actions, resolutions, roles, sandboxes, subjects } from '../../model/access/rules.ts'
import { neutralTools, toolsByCapability } from '../../model/tools.ts'
import { consequence, each, enforced, neutralRule, oneOrMore, pattern, shape, text, texts } from './field.ts'

/** The keys of a list of patterns, by what they are compared with. */
const patternKeys = v.strictObject({ command: v.optional(text), path: v.optional(text) })

/**
 * A key that grants or limits, and the codec that reads it. `approve-list`: what is listed is done without a question,
 * everything else is asked about.
 */
const accessLayer = v.strictObject({
  codec: v.picklist(['allow-list', 'approve-list', 'deny-list', 'agent-list', 'rule-map', 'flag-map', 'switch']),
  shape: v.optional(oneOrMore(shape)),
  each: v.optional(each),
  invalid: v.optional(consequence),
  /** An empty list or an empty value: no tools at all, or as if the key were absent. */
  empty: v.optional(v.picklist(['none', 'absent'])),
  /** For `allow-list`: without the key an agent has no tools. */
  absent: v.optional(v.literal('none')),
  /** Items can be a pair of a name and a map with a limit: the key of its regular expression. */
  limitKey: v.optional(text),
  /** For `rule-map`: rules are lists of patterns in the settings of a tool; commands can be regular expressions. */
  lists: v.optional(v.strictObject({ allow: patternKeys, deny: patternKeys, regex: v.optional(v.boolean(), false) })),
  /** For `rule-map`: rules are items of a list, with the keys of the tool, the action and a list of patterns. */
  entries: v.optional(v.strictObject({ tool: text, action: text, patterns: text })),
  /** How a list is split into names: the separators in a text and in an item, outside parentheses. */
  cuts: v.optional(
    v.strictObject({
      text: v.string(),
      items: v.string(),
      parentheses: v.optional(v.boolean(), true),
      /** What is trimmed around names: Unicode white space; by default, that of JavaScript. */
      blanks: v.optional(v.literal('unicode')),
    }),
  ),
  /** Items that are not text are skipped; by default, the whole list is invalid. */
  otherItems: v.optional(v.picklist(['dropped'])),
  /** A value of another shape means no tools at all; by default, `invalid` applies. */
  wrongShape: v.optional(v.picklist(['none'])),
  /** What being listed means. */
  grants: v.optional(v.picklist(actions)),
  /** Whether `*` names every tool; otherwise it matches no tool, or makes a deny list deny nothing (`voids`). */
  star: v.optional(v.union([v.boolean(), v.literal('voids')]), true),
  /** Whether `Tool(pattern)` limits the tool, names the whole tool (`no`), or matches no tool at all (`void`). */
  patterns: v.optional(v.picklist(['observed', 'claimed', 'no', 'void'])),
  /**
   * What names MCP tools besides a full name: a whole server, all tools of all servers (`*` as the server), a prefix
   * (`...*`). Other names with `*` match nothing. Absent: `*` is allowed anywhere.
   */
  mcpNames: v.optional(v.array(v.picklist(['server', 'all', 'beginning']))),
  /** For `switch`: value to rules. */
  cases: v.optional(v.record(text, v.array(neutralRule))),
  /** For `switch`: values that mean a sandbox, and what a shell can still reach in it. */
  sandboxes: v.optional(v.record(text, v.picklist(sandboxes))),
  /** By default claimed. */
  enforced: v.optional(enforced, 'claimed'),
  /** How other readers resolve the same rules, if documents of the format contradict each other. */
  disputed: v.optional(v.picklist(resolutions)),
  /** A key that is read first and yields to this one; it is never written. */
  legacy: v.optional(v.boolean()),
  /** How a list is usually written: with commas, as a list in brackets, or one name per line. */
  style: v.optional(v.picklist(['comma', 'flow', 'block'])),
  note: v.optional(text),
})

/** By key. */
const layers = v.pipe(
  v.record(text, accessLayer),
  v.transform((all) => Object.entries(all).map(([key, one]) => completeLayer(key, one))),
)

/** What most files with such a key accept. */
const usualShapes = {
  'allow-list': ['string', 'list'],
  'approve-list': ['string', 'list'],
  'deny-list': ['string', 'list'],
  'agent-list': ['string', 'list'],
  'rule-map': ['string', 'map'],
  'flag-map': ['map'],
} as const

function completeLayer(key: string, one: v.InferOutput<typeof accessLayer>) {
  const { codec, cases = {} } = one
  if (codec === 'allow-list')
    return { key, ...one, grants: one.grants ?? 'offer', shape: one.shape ?? [...usualShapes[codec]] }
  if (codec !== 'switch') return { key, ...one, shape: one.shape ?? [...usualShapes[codec]] }
  const isFlag = Object.keys(cases).every((value) => value === 'true' || value === 'false')
  // Of true and false, the one without a case changes nothing.
  const all = isFlag ? { true: cases.true ?? [], false: cases.false ?? [] } : cases
  return { key, ...one, shape: one.shape ?? [isFlag ? ('boolean' as const) : ('string' as const)], cases: all }
}

export const access = v.strictObject({
  /** The harness's own rules, which come before those of the file, in order. By default every tool is offered. */
  base: v.optional(v.array(neutralRule), [{ tools: '*', action: 'offer' }]),
  resolution: v.optional(v.picklist(resolutions), 'last-match'),
  /** `concatenate`: base and file are one list, resolved together; `strictest`: each is a layer of its own. */
  combine: v.optional(v.picklist(['concatenate', 'strictest']), 'strictest'),
  layers: v.optional(layers, {}),
  /** Rules the harness puts behind the file's own, unless the file has this very key. */
  after: v.optional(v.array(v.strictObject({ ...neutralRule.entries, unlessKey: text })), []),
  /** Tools that cannot be removed, by native name. */
  always: v.optional(v.array(v.strictObject({ tool: text, role: v.optional(v.picklist(roles)) })), []),
  /** A concept whose presence grants more than the tool list: units, or the tools of the servers it names. */
  implies: v.optional(
    v.array(
      v.strictObject({
        field: text,
        grants: v.optional(texts, []),
        servers: v.optional(v.boolean()),
        note: v.optional(text),
      }),
    ),
    [],
  ),
  /** What happens to a tool name the harness does not know. */
  unknownTool: v.optional(consequence, 'ignored'),
  /** What happens if a list names tools and none of them is known. */
  noKnownTool: v.optional(v.strictObject({ main: consequence, child: consequence }), {
    main: 'ignored',
    child: 'ignored',
  }),
  caseSensitive: v.optional(v.boolean(), true),
  /** What helps if the harness cannot remove a tool from an agent, for people. */
  instead: v.optional(text),
})

/** A native tool or permission name and the neutral tools it grants. */
export const unit = v.pipe(
  v.union([
    text,
    v.array(text),
    v.strictObject({
      grants: oneOrMore(text),
      subject: v.optional(v.picklist(subjects)),
      syntax: v.optional(v.picklist(syntaxes)),
      /** Not a tool, but an additional requirement for calls of these that reach further than usual. */
      guards: v.optional(v.array(v.picklist(Object.keys(toolsByCapability) as [keyof typeof toolsByCapability]))),
      /** Takes a plain action only, no patterns. */
      plain: v.optional(v.boolean()),
      /** Known only to one edition of the harness. */
      only: v.optional(text),
      /** The harness was never seen to offer it: listing it grants nothing, denying it does no harm. */
      unseen: v.optional(v.boolean()),
      /** Known only under these access keys. */
      under: v.optional(v.array(text)),
      /** The roles in which parentheses count, in lists that ignore them otherwise. */
      limited: v.optional(v.array(v.picklist(roles))),
      /** Exists only for a main session, or only for a child. */
      role: v.optional(v.picklist(roles)),
      /** Denied as soon as this unit is. */
      goesWith: v.optional(text),
      /** Known only in this spelling, where case does not count otherwise. */
      exact: v.optional(v.boolean()),
      /** Matches every name that begins with this. */
      prefix: v.optional(v.boolean()),
      /** A name from older versions without effect today. */
      gone: v.optional(v.boolean()),
      /** Read, never written: an older or other spelling, of the unit named here if it is the same. */
      alias: v.optional(v.union([v.literal(true), text])),
      /** What a prompt means by it: one of the tools it switches, or a native one (`native:...`). */
      means: v.optional(text),
    }),
  ]),
  v.transform((value) =>
    typeof value === 'string' ? { grants: [value] } : Array.isArray(value) ? { grants: value } : value,
  ),
)

const byTool = v.record(v.picklist([...neutralTools, 'mcp:*', '*']), oneOrMore(text))

/** Names of tools: those with nothing else to say about them in short, and all others in `units`. */
export const toolNames = {
  /** By neutral tool: the names that grant it. The first is the word for it in prompts. */
  tools: v.optional(byTool, {}),
  /** By neutral tool: more names that grant it. They are read, and never written. */
  toolsRead: v.optional(byTool, {}),
  /** Tools that only this harness has. Several names of one tool are a list under it. */
  ownTools: v.optional(v.array(v.union([text, v.record(text, texts)])), []),
  /** By name: other spellings of it. They are read, and never written. */
  spellings: v.optional(v.record(text, oneOrMore(text)), {}),
  units: v.optional(v.record(text, unit), {}),
}

/** What only one edition of a harness knows. */
export const edition = v.strictObject({
  /** How that is known, if not as the rest. */
  evidence: v.optional(v.picklist(['observed', 'claimed', 'suggested'])),
  ...toolNames,
})

export type ToolNames = v.InferOutput<typeof edition>

/** How a harness compares a call with its rules, as observed: what it extracts from a call and looks up. */
export const calls = v.strictObject({
  /** Tools whose paths are compared relative to the root of the project (`effective.root`). */
  paths: v.strictObject({ tools: texts }),
  /** Every command of a line is compared separately, except these. */
  commands: v.strictObject({ uncompared: texts }),
  /** An additional requirement for calls that reach outside the project: a unit, asked for the folder. */
  outside: v.strictObject({
    unit: text,
    /** Commands whose arguments are treated as paths. */
    commands: texts,
    /** By command: arguments that look like paths but are not. */
    notPaths: v.optional(v.record(text, pattern), {}),
  }),
  /** What the rules of one agent do not show, for people. */
  notes: v.array(
    v.strictObject({
      /** Absent: every tool. */
      tools: v.optional(texts),
      role: v.optional(v.picklist(roles)),
      note: text,
    }),
  ),
})

/** Built-in kinds of agents of a harness that allows no others: an agent runs as one of them. */
export const agentType = v.strictObject({
  name: text,
  /** The agents it is meant for: those that may change or reach something, or read-only ones. */
  for: v.picklist(['full', 'read-only']),
  /** Its tools, by native name; absent: all. */
  tools: v.optional(texts),
  note: v.optional(text),
})
