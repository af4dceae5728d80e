/** Codex 0.166.0: what a role file says, and how little of it the program enforces for a role. */
import { parse } from 'smol-toml'
import { type Answer, type Call, lesser, type Reading, type Role, serverTool } from './call.ts'
import { saidAccess } from './said.ts'

interface Limits {
  readonly sandbox: unknown
  readonly search: unknown
  readonly features: Readonly<Record<string, unknown>>
}

export function readCodex(text: string): Reading {
  const data = parseToml(text)
  const limits = data === null ? clearLimits(text) : limitsOf(data)
  const { features } = limits
  const noShell = features.shell_tool === false
  const foreign = data === null ? () => 'offer' as const : saidByForeignKeys(data)
  const given = ({ tool }: Call, role: Role, isOwn = false): Answer => {
    if (noShell && ['shell', 'read', 'glob', 'grep', 'list'].includes(tool)) return 'deny'
    if (serverTool(tool) !== null)
      return features.apps === false && tool.startsWith('mcp:codex_apps/') ? 'deny' : 'offer'
    if (isOwn) return 'offer'
    // There are no tools for these, and a role is not offered those for other agents.
    if (['fetch', 'skill', 'task', 'plan', 'team'].includes(tool)) return 'deny'
    return role === 'child' && (tool === 'delegate' || tool === 'message') ? 'deny' : 'offer'
  }
  return {
    said: (call, role) => lesser(saidBy(limits, call), foreign(call, role)),
    given,
    denies: () => false,
    names: () => false,
    // A role is never a main session.
    roles: ['child'],
    loads: data !== null && isValid(data),
    disabled: false,
    patterns: [],
    keys: JSON.stringify(limits),
  }
}

const values: Readonly<Record<string, readonly string[]>> = {
  sandbox_mode: ['read-only', 'workspace-write', 'danger-full-access'],
  web_search: ['disabled', 'cached', 'indexed', 'live'],
}

const known = [
  ...['experimental_use_unified_exec_tool', 'allow_login_shell'],
  ...[
    'name',
    'description',
    'developer_instructions',
    'nickname_candidates',
    'model',
    'model_reasoning_effort',
    'personality',
  ],
  ...[
    'model_reasoning_summary',
    'model_verbosity',
    'service_tier',
    'model_provider',
    'sandbox_mode',
    'approval_policy',
    'tools',
  ],
  ...[
    'web_search',
    'features',
    'skills',
    'agents',
    'hooks',
    'mcp_servers',
    'permissions',
    'default_permissions',
    'profile',
  ],
  ...[
    'sandbox_workspace_write',
    'history',
    'notify',
    'hide_agent_reasoning',
    'file_opener',
    'model_context_window',
    'cloud',
  ],
  ...[
    'shell_environment_policy',
    'approvals_reviewer',
    'instructions',
    'project_doc_max_bytes',
    'tui',
    'profiles',
    'projects',
  ],
]

/** A wrong value or an unknown key, and the role is not loaded. The keys are not all that there are. */
function isValid(data: Record<string, unknown>): boolean {
  if (!['name', 'description', 'developer_instructions'].every((key) => isText(data[key]))) return false
  if (Object.keys(data).some((key) => !known.includes(key))) return false
  if (Object.entries(values).some(([key, all]) => data[key] !== undefined && !all.includes(data[key] as string)))
    return false
  const { features, approval_policy: approval, model, tools, permissions, mcp_servers: servers } = data
  if (model !== undefined && typeof model !== 'string') return false
  if ([tools, permissions, servers].some((one) => one !== undefined && !isTable(one))) return false
  if (approval !== undefined && !['never', 'on-request', 'on-failure', 'untrusted'].includes(approval as string)) {
    if (!isTable(approval) || !isTable(approval.granular) || Object.keys(approval.granular).length < 3) return false
  }
  // A key that slipped below a header belongs to that table.
  if ([data.agents, permissions].some((one) => isTable(one) && one.sandbox_mode !== undefined)) return false
  if (isTable(servers) && Object.values(servers).some((one) => !isServer(one))) return false
  return (
    features === undefined || (isTable(features) && Object.values(features).every((one) => typeof one === 'boolean'))
  )
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** One that says how it is started, with lists where lists belong. An empty one is passed over. */
function isServer(value: unknown): boolean {
  if (!isTable(value)) return false
  if (Object.keys(value).length > 0 && value.command === undefined && value.url === undefined) return false
  return [value.enabled_tools, value.disabled_tools].every((list) => list === undefined || Array.isArray(list))
}

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''

/**
 * A sandbox in which nothing can be written: elsewhere, where there is no such sandbox, that is no writing and no shell,
 * and a question before the network.
 */
function saidBy({ sandbox, search, features }: Limits, { tool }: Call): Answer {
  if (sandbox !== undefined && sandbox !== 'workspace-write' && sandbox !== 'danger-full-access') {
    if (['write', 'edit', 'notebook', 'shell'].includes(tool)) return 'deny'
    if (tool === 'fetch') return 'ask'
  }
  if (tool === 'search' && search !== undefined && !['cached', 'indexed', 'live'].includes(search as string))
    return 'deny'
  const shell = features.shell_tool
  if (shell !== undefined && shell !== true && ['shell', 'read', 'glob', 'grep', 'list'].includes(tool)) return 'deny'
  return features.apps === false && tool.startsWith('mcp:codex_apps/') ? 'deny' : 'offer'
}

/** Keys that Codex does not know, and that say all the same what the agent may not do. */
function saidByForeignKeys(data: Record<string, unknown>): (call: Call, role: Role) => Answer {
  const own: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(data)) {
    if (/^(?:allowed_?tools|enabled_tools|tools)$/i.test(key) && !isTable(value)) own.tools = value
    if (/^(?:disallowed_?tools|disabled_tools)$/i.test(key)) own.disallowedTools = value
    if (key === 'permission') own.permission = value
    if (/^sandbox/i.test(key) && key !== 'sandbox_mode' && /read.?only/i.test(JSON.stringify(value)))
      own.readonly = true
    if (/^read_?only$/i.test(key) && value === true) own.readonly = true
  }
  return saidAccess(JSON.stringify(own), { grants: 'tools', denials: 'disallowedTools' })
}

function parseToml(text: string): Record<string, unknown> | null {
  try {
    return parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}

function limitsOf({ sandbox_mode, web_search, features }: Record<string, unknown>): Limits {
  const own = typeof features === 'object' && features !== null && !Array.isArray(features) ? features : {}
  return { sandbox: sandbox_mode, search: web_search, features: own as Record<string, unknown> }
}

/** A broken file: of every line that speaks of a limit, the strictest. */
function clearLimits(text: string): Limits {
  const all = (key: string) =>
    [...text.matchAll(new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*[=:][ \\t]*(.*?)[ \\t]*(?:#.*)?$`, 'gm'))].map(
      ([, value]) => (value ?? '').replace(/^(?:"""|'''|["'])|(?:"""|'''|["']),?$/g, ''),
    )
  const worst = (key: string, open: readonly string[]) => all(key).find((value) => !open.includes(value)) ?? all(key)[0]
  const shell = worst('(?:features\\.)?shell_tool', ['true'])
  return {
    sandbox: worst('sandbox_mode', ['workspace-write', 'danger-full-access']),
    search: worst('web_search', ['cached', 'indexed', 'live']),
    features: shell === undefined ? {} : { shell_tool: shell === 'true' },
  }
}
