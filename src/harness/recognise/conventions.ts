/** Data about files that no harness file describes: folders of other programs, documents, words that limit an agent. */

/** Folders and files of harnesses that Troupe has no data about: what is in them is theirs, and is never guessed at. */
export const otherHarnesses: Readonly<Record<string, string>> = {
  '.aider': 'Aider',
  '.amazonq': 'Amazon Q',
  '.antigravity': 'Antigravity',
  '.augment': 'Augment',
  '.cline': 'Cline',
  '.clinerules': 'Cline',
  '.codebuddy': 'CodeBuddy',
  '.continue': 'Continue',
  '.crush': 'Crush',
  '.cursor': 'Cursor',
  '.devin': 'Devin',
  '.factory': 'Factory',
  '.goose': 'Goose',
  '.grok': 'Grok',
  '.iflow': 'iFlow',
  '.junie': 'Junie',
  '.kilocode': 'Kilo Code',
  '.kilocodemodes': 'Kilo Code',
  '.kimi': 'Kimi Code',
  '.kiro': 'Kiro',
  '.omp': 'Oh My Pi',
  '.openhands': 'OpenHands',
  '.pi': 'Pi',
  '.qoder': 'Qoder',
  '.roo': 'Roo Code',
  '.roomodes': 'Roo Code',
  '.rovodev': 'Rovo Dev',
  '.trae': 'Trae',
  '.vibe': 'Mistral Vibe',
  '.warp': 'Warp',
  '.windsurf': 'Windsurf',
  '.zencoder': 'Zencoder',
}

/** Documents of any repository, by the beginning of their names. */
export const documentNames = [
  'README',
  'CHANGELOG',
  'CONTRIBUTING',
  'LICENSE',
  'NOTICE',
  'SECURITY',
  'CODE_OF_CONDUCT',
  'SCHEMA',
  'INDEX',
  'TEMPLATE',
  'package',
  'package-lock',
  'tsconfig',
]

/** Folders that collections keep other things in. */
export const conventionalFolders = {
  commands: 'command',
  command: 'command',
  prompts: 'command',
  skills: 'skill',
  skill: 'skill',
  rules: 'rules',
  instructions: 'rules',
  references: 'document',
  hooks: 'hooks',
} as const

/** Keys of front matter, or of a data file, that agents do not have and these do. */
export const distinctiveKeys = {
  command: ['argument-hint', 'arguments', 'subtask', 'user-invocable', 'disable-model-invocation'],
  rules: ['globs', 'alwaysApply', 'applyTo'],
  servers: ['mcpServers'],
  hooks: ['hooks'],
  manifest: ['plugins', 'contextFileName', 'marketplace'],
} as const

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
