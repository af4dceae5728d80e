/** Access: layers of rules, what each native name grants, how calls are compared, fixed agent types. */
import * as v from 'valibot'
import { syntaxes } from '../../model/access/patterns.ts'
import { actions, resolutions, roles, sandboxes, subjects } from '../../model/access/rules.ts'
import { toolsByCapability } from '../../model/tools.ts'
import { consequence, each, enforced, neutralRule, oneOrMore, pattern, shape, text, texts } from './field.ts'

/** A key that grants or limits, and the codec that reads it. */
const accessLayer = v.strictObject({
  key: text,
  codec: v.picklist(['allow-list', 'deny-list', 'agent-list', 'rule-map', 'flag-map', 'switch']),
  shape: v.optional(oneOrMore(shape)),
  each: v.optional(each),
  invalid: v.optional(consequence),
  /** An empty list or an empty value: no tools at all, or as if the key were absent. */
  empty: v.optional(v.picklist(['none', 'absent'])),
  /** How a list is cut into names: the characters that set names apart in a text and in an item, outside of parentheses. */
  cuts: v.optional(
    v.strictObject({
      text: v.string(),
      items: v.string(),
      parentheses: v.optional(v.boolean(), true),
      /** What is trimmed around names: what Unicode calls white space; otherwise what JavaScript does. */
      blanks: v.optional(v.literal('unicode')),
    }),
  ),
  /** Items that are no text: passed over, or the whole list counts as wrong. */
  otherItems: v.optional(v.picklist(['dropped'])),
  /** A value of another shape means no tools at all; otherwise `invalid` says what becomes of it. */
  wrongShape: v.optional(v.picklist(['none'])),
  /** What being listed means. */
  grants: v.optional(v.picklist(actions)),
  /** Whether `*` names every tool; otherwise it is the name of none, or makes a deny list deny nothing (`voids`). */
  star: v.optional(v.union([v.boolean(), v.literal('voids')]), true),
  /** Whether `Tool(pattern)` limits the tool, names the whole tool (`no`), or is no tool's name at all (`void`). */
  patterns: v.optional(v.picklist(['observed', 'claimed', 'no', 'void'])),
  /**
   * What names MCP tools besides the full name of one: a whole server, all of all servers (`*` for the server), the
   * beginning of a name (`...*`). Other names with `*` are the names of none. Absent: `*` may stand anywhere.
   */
  mcpNames: v.optional(v.array(v.picklist(['server', 'all', 'beginning']))),
  /** For `switch`: value to rules. */
  cases: v.optional(v.record(text, v.array(neutralRule))),
  /** For `switch`: values that mean a sandbox, and what a shell can still reach in it. */
  sandboxes: v.optional(v.record(text, v.picklist(sandboxes))),
  enforced: v.optional(enforced),
  /** How others resolve the same rules, where documents of the format contradict each other. */
  disputed: v.optional(v.picklist(resolutions)),
  /** A key that is read first and yields to this one; it is never written. */
  legacy: v.optional(v.boolean()),
  /** How a list is usually written: with commas, as a list in brackets, or one name per line. */
  style: v.optional(v.picklist(['comma', 'flow', 'block'])),
  note: v.optional(text),
})

export const access = v.strictObject({
  /** The harness's own rules before the file says anything, in its order. */
  base: v.array(neutralRule),
  resolution: v.optional(v.picklist(resolutions), 'last-match'),
  /** `concatenate`: base and file are one list, resolved together; `strictest`: each is a layer of its own. */
  combine: v.picklist(['concatenate', 'strictest']),
  layers: v.array(accessLayer),
  /** Rules the harness puts behind the file's own, unless the file has this very key. */
  after: v.optional(v.array(v.strictObject({ ...neutralRule.entries, unlessKey: text })), []),
  /** Tools that cannot be taken away, by native name. */
  always: v.optional(v.array(v.strictObject({ tool: text, role: v.optional(v.picklist(roles)) })), []),
  /** A concept whose presence grants more than the tool list says: units, or the tools of the servers it names. */
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
  unknownTool: consequence,
  /** What happens when a list names tools and none of them is known. */
  noKnownTool: v.optional(v.strictObject({ main: consequence, child: consequence }), {
    main: 'ignored',
    child: 'ignored',
  }),
  caseSensitive: v.optional(v.boolean(), true),
  /** What does help where the harness cannot take a tool from an agent, for people. */
  instead: v.optional(text),
})

/** A native tool or permission name and the neutral tools it grants. */
export const unit = v.pipe(
  v.union([
    v.array(text),
    v.strictObject({
      grants: v.array(text),
      subject: v.optional(v.picklist(subjects)),
      syntax: v.optional(v.picklist(syntaxes)),
      /** No tool, but what calls of these need besides, where they reach further than usual. */
      guards: v.optional(v.array(v.picklist(Object.keys(toolsByCapability) as [keyof typeof toolsByCapability]))),
      /** Takes a plain action only, no patterns. */
      plain: v.optional(v.boolean()),
      /** Known only to one edition of the harness. */
      only: v.optional(text),
      /** Nobody has seen the harness offer it: to list it grants nothing, to deny it does no harm. */
      unseen: v.optional(v.boolean()),
      /** Known only under these access keys. */
      under: v.optional(v.array(text)),
      /** The roles in which what stands in parentheses counts, in lists that heed it for nothing else. */
      limited: v.optional(v.array(v.picklist(roles))),
      /** There only for a main session, or only for a child. */
      role: v.optional(v.picklist(roles)),
      /** Denied as soon as this unit is. */
      goesWith: v.optional(text),
      /** Known in these letters only, where case does not count otherwise. */
      exact: v.optional(v.boolean()),
      /** Stands for every name that begins like this. */
      prefix: v.optional(v.boolean()),
      /** A name of older versions that does nothing today. */
      gone: v.optional(v.boolean()),
      /** Read, never written: an older or other spelling, of the unit named here if it is the same thing. */
      alias: v.optional(v.union([v.literal(true), text])),
      /** What a prompt means by it: one of the tools it switches, or something of the harness's own (`native:...`). */
      means: v.optional(text),
    }),
  ]),
  v.transform((value) => (Array.isArray(value) ? { grants: value } : value)),
)

/** How a harness compares a call with its rules, where it was seen deciding: what it cuts out of a call and looks up. */
export const calls = v.strictObject({
  /** Tools whose paths are compared as seen from the root of the project (`effective.root`). */
  paths: v.strictObject({ tools: texts }),
  /** Every command of a line is compared by itself, but these are not. */
  commands: v.strictObject({ uncompared: texts }),
  /** What calls need besides that reach out of the project: a unit, asked for the folder. */
  outside: v.strictObject({
    unit: text,
    /** Commands whose arguments are taken for paths. */
    commands: texts,
    /** By command: arguments that look like paths and are none. */
    notPaths: v.optional(v.record(text, pattern), {}),
  }),
  /** What the rules of one agent do not say, for people. */
  notes: v.array(
    v.strictObject({
      /** Absent: whatever is called. */
      tools: v.optional(texts),
      role: v.optional(v.picklist(roles)),
      note: text,
    }),
  ),
})

/** Kinds of agents that a harness brings along, where nobody can define others: an agent runs as one of them. */
export const agentType = v.strictObject({
  name: text,
  /** The agents it is meant for: those that may change or reach something, or those that only look. */
  for: v.picklist(['full', 'read-only']),
  /** Its tools, by native name; absent: all there are. */
  tools: v.optional(texts),
  note: v.optional(text),
})
