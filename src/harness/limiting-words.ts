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
    'without',
  ],
  named: [
    'ability',
    'abilities',
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
    'trust',
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
  'read',
] as const

/** Values that limit under any key. */
export const restrictingValues = ['readonly', 'noaccess', 'denyall', 'sandboxed', 'restricted']
