/** Words in keys and values that no harness file describes, which limit or may limit what an agent may do. Data only. */

/** How a word in the name of a key begins, or ends, that limits what an agent may do: `allowed-tools`, `readOnly`, `SANDBOX_MODE`. */
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
 * Words in the name of a key that may limit, and as often describe. All count where their value names tools and nothing else;
 * `answered` also where it is yes or no, or one of `limitingAnswers`.
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

/** What is answered to such a key where it limits. */
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

/** Values that limit, whatever their key is called. */
export const restrictingValues = ['readonly', 'noaccess', 'denyall', 'sandboxed', 'restricted']
