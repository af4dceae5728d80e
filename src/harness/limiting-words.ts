/** Words in keys and values that no harness file describes, which limit or may limit what an agent may do. Data only. */

/** Prefixes and suffixes of words in a key that limit an agent: `allowed-tools`, `readOnly`, `SANDBOX_MODE`. */
export const restrictingWords = {
  begin: [
    'readonly',
    'allow',
    'disallow',
    'deny',
    'denied',
    'forbid',
    'restrict',
    'permission',
    'permit',
    'sandbox',
    'approval',
    'blocked',
    'blocklist',
    'whitelist',
    'blacklist',
  ],
  end: ['tools', 'readonly', 'permissions'],
} as const

/**
 * Words in a key that may limit, but as often describe. All count if their value contains only names of tools;
 * `answered` also if it is yes or no, or one of `limitingAnswers`.
 */
export const perhapsLimitingWords = {
  answered: [
    'access',
    'cannot',
    'capability',
    'capabilities',
    'constraint',
    'constraints',
    'guard',
    'guardrail',
    'guardrails',
    'limit',
    'limits',
    'limited',
    'limitations',
    'never',
    'only',
    'policy',
    'policies',
    'privilege',
    'privileges',
    'rights',
    'safety',
    'scope',
    'scopes',
    'security',
    'tool',
    'toolset',
    'toolsets',
    'trust',
    'without',
    // Whatever the agent does then, it does less.
    'confirm',
    'confirmation',
    'isolated',
    'locked',
    'safe',
  ],
  named: [
    'ability',
    'abilities',
    'approve',
    'ask',
    'asks',
    'can',
    'disable',
    'disabled',
    'enable',
    'enabled',
    'except',
    'exclude',
    'excluded',
    'excludes',
    'grant',
    'grants',
    'include',
    'included',
    'includes',
    'may',
    'no',
    'not',
    'omit',
    'toolbox',
    'toolkit',
    'trusted',
    'use',
    'uses',
  ],
} as const

/** Values of such a key that limit. */
export const limitingAnswers = [
  'none',
  'nothing',
  'no',
  'off',
  'never',
  'deny',
  'denied',
  'ask',
  'strict',
  'safe',
  'locked',
  'read',
] as const

/** Values that limit under any key. */
export const restrictingValues = ['readonly', 'noaccess', 'denyall', 'sandboxed', 'restricted']

/** Words for what an agent may do, beside the names of tools: with a refusal as the value (`network: false`), the key limits. */
export const powerWords = [
  ...['network', 'internet', 'web', 'online', 'http', 'browser'],
  ...[
    'write',
    'writes',
    'writing',
    'writable',
    'edit',
    'edits',
    'editing',
    'editable',
    'modify',
    'files',
    'filesystem',
  ],
  ...['exec', 'execute', 'execution', 'run', 'shell', 'terminal', 'console', 'command', 'commands', 'subprocess'],
  ...['delegate', 'delegation', 'spawn', 'subagent', 'subagents', 'mcp'],
] as const

/** With such a word, it is the other way round: `noNetwork: true`. */
export const refusingWords = ['no', 'not', 'never', 'without', 'disable', 'disabled', 'block', 'blocked'] as const

export const refusals = [
  ...['false', 'no', 'off', 'none', 'nothing', 'never', 'deny', 'denied', 'disallow', 'disallowed', 'forbidden'],
  ...['blocked', 'disabled', 'ask', 'readonly', 'locked'],
] as const
export const consents = ['true', 'yes', 'on', 'always'] as const

/** Whole keys that switch something on or off. */
export const switchKeys = {
  on: ['enabled', 'enable', 'active', 'isenabled', 'isactive'],
  off: ['disabled', 'disable', 'inactive', 'isdisabled'],
} as const

/** Keys that name a state, and the states in which an agent may do less. */
export const stateWords = {
  keys: ['mode', 'modes', 'profile', 'state', 'status'],
  values: [
    'plan',
    'planning',
    'ask',
    'asking',
    'readonly',
    'read',
    'safe',
    'strict',
    'locked',
    'off',
    'disabled',
    'inactive',
  ],
} as const

/** What else people call the tools that they deny, beside the names in all dialects. */
export const spokenTools = {
  shell: ['terminal', 'console', 'command', 'commands', 'cmd', 'exec', 'execution', 'sh', 'zsh', 'subprocess'],
  write: ['writes', 'writing', 'modify'],
  edit: ['edits', 'editing', 'modify'],
  fetch: ['network', 'internet', 'http', 'curl', 'url', 'urls', 'browse', 'browser'],
  search: ['internet', 'network', 'browse'],
  delegate: ['subagent', 'subagents', 'agents', 'delegation', 'spawn'],
} as const

/** Keys in the entry of a server that choose among its tools in programs that no harness file describes, without case and signs. */
export const serverFilterWords = {
  allow: ['enabledtools', 'allowedtools', 'includetools', 'includedtools', 'allowtools', 'onlytools'],
  deny: [
    'disabledtools',
    'disallowedtools',
    'excludetools',
    'excludedtools',
    'deniedtools',
    'denytools',
    'blockedtools',
  ],
} as const
