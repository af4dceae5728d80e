/** Conversions made by hand, plain and hostile, as the tests of the reports need them. */

import type { Conversion, Feature, Gap } from '../../../src/model/conversion.ts'
import type { Diagnostic } from '../../../src/model/findings.ts'
import { scoreFidelity } from '../../../src/model/score.ts'
import type { ReportContext } from '../../../src/report/conversion/run.ts'

export const context: ReportContext = {
  version: '1.2.3',
  harnesses: [
    { id: 'claude-code', title: 'Claude Code', isFormat: false, checkedVersion: '2.1.0', checkedDate: '2026-11-01' },
    { id: 'opencode', title: 'OpenCode', isFormat: false, checkedVersion: '1.18.33', checkedDate: '2026-11-02' },
    { id: 'codex', title: 'Codex CLI', isFormat: true, checkedVersion: null, checkedDate: '2026-11-03' },
  ],
  setup: { codex: ['the project is trusted'] },
  comparison: {
    opencode: [
      { capability: 'Skills', source: 'skills', target: 'a tool', status: 'partial' },
      { capability: 'Hooks', source: 'hooks', target: 'no', status: 'unsupported' },
    ],
  },
}

export const features: readonly Feature[] = [
  { area: 'fields', feature: 'name', outcome: 'direct', from: 'reviewer', to: 'reviewer', line: 2 },
  { area: 'fields', feature: 'description', outcome: 'direct', from: 'Reviews', to: 'comment in the prompt', line: 3 },
  { area: 'fields', feature: 'mode', outcome: 'direct', from: 'subagent', to: 'presence', line: 4 },
  { area: 'fields', feature: 'model', outcome: 'workaround', from: 'sonnet', to: 'opencode.json: agent.x', line: 4 },
  { area: 'fields', feature: 'skills', outcome: 'workaround', from: 'a, b', to: null, line: 5 },
  { area: 'fields', feature: 'hooks', outcome: 'todo', from: '{}', to: null, line: 6, note: 'has no hooks' },
  { area: 'fields', feature: 'tools', outcome: 'workaround', from: 'tools', to: 'permission', line: 7 },
  { area: 'tools', feature: 'Read', outcome: 'direct', from: 'Read', to: 'read', line: 7 },
  {
    area: 'tools',
    feature: 'Write',
    outcome: 'workaround',
    from: 'Write',
    to: 'edit',
    line: 7,
    note: 'shares a switch',
  },
  { area: 'tools', feature: 'SendMessage', outcome: 'omitted', from: 'SendMessage', to: null, line: 7 },
  { area: 'skills', feature: 'a', outcome: 'workaround', from: 'a', to: 'inlined', line: 5 },
  { area: 'body', feature: 'tool: Read', outcome: 'direct', from: 'Read', to: 'read', line: 12, occurrences: 3 },
  {
    area: 'body',
    feature: 'tool: SendMessage',
    outcome: 'todo',
    from: 'SendMessage',
    to: null,
    line: 14,
    occurrences: 1,
  },
  { area: 'body', feature: 'path: CLAUDE.md', outcome: 'direct', from: 'CLAUDE.md', to: 'CLAUDE.md', line: 15 },
]

export function gap(given: Partial<Gap> = {}): Gap {
  return {
    type: 'tool-missing',
    feature: 'SendMessage',
    severity: 'medium',
    reason: 'OpenCode has no such tool',
    workaround: 'a note in a file',
    resolution: 'todo',
    decidedBy: 'auto',
    line: 7,
    ...given,
  }
}

export function conversion(given: Partial<Conversion> = {}): Conversion {
  const name = given.name ?? 'reviewer'
  const all = given.features ?? features
  const gaps = given.gaps ?? [gap()]
  return {
    name,
    source: { harness: 'claude-code', path: `.claude/agents/${name}.md` },
    target: { harness: 'opencode', name, files: [`.opencode/agents/${name}.md`] },
    status: 'written',
    fidelity: scoreFidelity(all, gaps),
    features: all,
    access: {
      before: { read: 'offer', write: 'deny', shell: 'ask' },
      after: { read: 'allow', write: 'deny', shell: 'deny' },
      enforced: 'observed',
      widened: [],
      unasked: [{ capability: 'read', pattern: null, before: 'offer', after: 'allow' }],
      narrowed: [{ capability: 'shell', pattern: 'git *', before: 'ask', after: 'deny', why: 'no shell there' }],
      revived: [],
      unsandboxed: [],
    },
    gaps,
    edits: [{ line: 12, column: 5, from: 'Read', to: 'read', rule: 'tool-reference' }],
    config: [{ path: 'opencode.json', set: { 'agent.x.model': 'm', 'mcp.ctx': { env: { KEY: 'sk-1' }, url: 'u' } } }],
    diagnostics: [],
    ...given,
  }
}

/** Nothing lost. */
export function perfect(name: string, given: Partial<Conversion> = {}): Conversion {
  const [first] = features
  const access = { before: { read: 'offer' }, after: { read: 'offer' }, enforced: 'observed' } as const
  return conversion({
    name,
    features: first === undefined ? [] : [first],
    gaps: [],
    edits: [],
    config: [],
    access: { ...access, widened: [], unasked: [], narrowed: [], revived: [], unsandboxed: [] },
    ...given,
  })
}

/** Refused, because it would gain what is named. */
export function refused(name: string, capabilities: readonly string[], given: Partial<Conversion> = {}): Conversion {
  const why = 'Codex CLI cannot restrict the tools of an agent'
  const plain = perfect(name)
  const problem: Diagnostic = {
    code: 'wider-access',
    severity: 'error',
    message: `"${name}" could do more in Codex CLI than its definition allows: ${capabilities.join(', ')}. ${why}.`,
    path: plain.source.path,
    line: 1,
    column: 1,
    hint: `Accept it with --allow-widening=${capabilities.join(',')}, or run it as the main session.`,
  }
  return {
    ...plain,
    target: { harness: 'codex', name, files: [`.codex/agents/${name}.toml`] },
    status: 'refused',
    access: {
      ...plain.access,
      enforced: 'no',
      widened: capabilities.map((capability) => ({ capability, pattern: null, before: 'deny', after: 'offer', why })),
    },
    diagnostics: [problem],
    ...given,
  }
}

/** What a file may say to make trouble. */
export const hostile: readonly string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '</td></details></table></style>',
  'a | b \\| c \\\\| d',
  '|',
  '`',
  '`` ` ```',
  '\\',
  'code `x` and ``y`` `',
  '[x](http://evil.example/a)',
  '![i](//evil.example/p.png)',
  '[x]: http://evil.example',
  'see http://evil.example and www.evil.example',
  '**bold** __under__ *em* _em_ ~~gone~~',
  '# heading',
  '- item',
  '1. one',
  '> quote',
  '---',
  '===',
  '```js',
  '--> <!-- PORT-METADATA -->',
  '<!--',
  '" onload="x',
  "' onload='x",
  'line\nbreak\r\n| x | y |\n# more',
  '\u001b[31mred\u0007\u009b2J',
  '\u202egnp.exe\u2066',
  '&lt;b&gt; &amp; &#124;',
  '$$x$$ $y$',
  '{{x}} ${y}',
  '\ud800',
  '漢字'.repeat(60),
  'x'.repeat(3000),
  '',
]

/** The same trouble in every place where a file has a say. */
export function hostileConversion(text: string, given: Partial<Conversion> = {}): Conversion {
  const feature = { feature: text, from: text, to: text, line: 1, note: text, occurrences: 2 }
  const all: Feature[] = (['fields', 'tools', 'body', 'skills'] as const).flatMap((area) =>
    (['direct', 'workaround', 'todo', 'omitted'] as const).map((outcome) => ({ area, outcome, ...feature })),
  )
  const change = { capability: `mcp:${text}`, pattern: text, before: 'deny', after: 'allow', why: text } as const
  return conversion({
    name: text,
    source: { harness: 'claude-code', path: text },
    target: { harness: 'opencode', name: text, files: [text] },
    features: all,
    gaps: [gap({ feature: text, reason: text, workaround: text }), gap({ feature: `path: ${text}`, severity: 'high' })],
    access: {
      before: { [text]: 'deny' },
      after: { [text]: 'allow' },
      enforced: 'no',
      widened: [change],
      unasked: [change],
      narrowed: [change],
      revived: [],
      unsandboxed: [],
    },
    edits: [{ line: 1, column: 1, from: text, to: text, rule: text }],
    config: [{ path: text, set: { [text]: { [text]: text, env: text } } }],
    diagnostics: [
      { code: 'not-written', severity: 'error', message: text, path: text, line: 1, column: 1, hint: text },
    ],
    ...given,
  })
}
