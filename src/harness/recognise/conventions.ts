/** Data about files that no harness file describes: folders of other harnesses, documents, keys agents do not have. */

/** Folders and files of harnesses that Troupe has no data about: their contents are never guessed at. */
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
  '.devin': 'Devin',
  '.factory': 'Factory',
  '.grok': 'Grok',
  '.iflow': 'iFlow',
  '.junie': 'Junie',
  '.kimi': 'Kimi Code',
  '.omp': 'Oh My Pi',
  '.openhands': 'OpenHands',
  '.pi': 'Pi',
  '.qoder': 'Qoder',
  '.rovodev': 'Rovo Dev',
  '.trae': 'Trae',
  '.vibe': 'Mistral Vibe',
  '.warp': 'Warp',
  '.windsurf': 'Windsurf',
  '.zencoder': 'Zencoder',
}

/** Documents of any repository, by the start of their names. */
export const documentNames = [
  'README',
  'CHANGELOG',
  'CONTRIBUTING',
  'LICENSE',
  'CODE_OF_CONDUCT',
  'package',
  'package-lock',
  'tsconfig',
]

/** Documents too, but agents are also called like this: one with a key of agents is an agent. */
export const unlessKeyed = ['INDEX', 'NOTICE', 'SCHEMA', 'SECURITY', 'TEMPLATE']

/** Folders in which collections keep other components. */
export const conventionalFolders = {
  commands: 'command',
  command: 'command',
  prompts: 'command',
  skills: 'skill',
  skill: 'skill',
  rules: 'instructions',
  instructions: 'instructions',
  references: 'document',
  hooks: 'hook',
} as const

/** Keys of front matter, or of a data file, that agents do not have but these components do. */
export const distinctiveKeys = {
  command: ['argument-hint', 'arguments', 'subtask', 'user-invocable', 'disable-model-invocation'],
  instructions: ['globs', 'alwaysApply', 'applyTo'],
  server: ['mcpServers'],
  hook: ['hooks'],
  manifest: ['plugins', 'contextFileName', 'marketplace'],
} as const
