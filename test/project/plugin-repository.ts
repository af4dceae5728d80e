/** A repository with the shapes of real plugin collections: what Claude Code calls its agents, and everything beside them. */

const agent = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does ${name}, and nothing else.\n${more}---\n\nYou are ${name}.\n`

const command =
  '---\ndescription: Commits\nallowed-tools: Bash(git commit:*)\nargument-hint: [message]\n---\nCommit: $ARGUMENTS\n'
const skill = '---\nname: forms\ndescription: Fills in forms\n---\nRead references/fields.md.\n'
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

export const repository: Readonly<Record<string, string>> = {
  'README.md': '# Plugins\n',
  'CLAUDE.md': 'How to work here.\n',
  '.claude-plugin/marketplace.json': json({
    name: 'shelf',
    owner: { name: 'Nobody' },
    metadata: { pluginRoot: './plugins' },
    plugins: [
      { name: 'review', source: './plugins/review' },
      { name: 'features', source: 'features', strict: false, agents: ['./extra/architect.md'] },
      { name: 'listed', source: './plugins/listed' },
      { name: 'only-commands', source: './plugins/only-commands' },
      { name: 'broken', source: './plugins/broken' },
      { name: 'elsewhere', source: { source: 'github', repo: 'someone/elsewhere' } },
      { name: 'escaping', source: './../outside' },
      { name: 'missing', source: './plugins/missing' },
    ],
  }),
  // The usual shape: a manifest, and a folder for each kind.
  'plugins/review/.claude-plugin/plugin.json': json({ name: 'review', version: '1.0.0' }),
  'plugins/review/README.md': '# Review\n',
  'plugins/review/agents/code-reviewer.md': agent('code-reviewer', 'tools: Read, Grep, Glob\n'),
  'plugins/review/agents/deep/tracer.md': agent('tracer', 'tools: Read\nmodel: haiku\n'),
  'plugins/review/commands/commit.md': command,
  'plugins/review/commands/agents/named-like-one.md': agent('named-like-one'),
  'plugins/review/skills/forms/SKILL.md': skill,
  'plugins/review/skills/forms/references/fields.md': agent('fields'),
  'plugins/review/skills/forms/agents/helper.md': agent('helper'),
  'plugins/review/rules/style.md': '---\nglobs: "*.ts"\n---\nTwo spaces.\n',
  'plugins/review/hooks/hooks.json': json({ hooks: {} }),
  'plugins/review/.mcp.json': json({ mcpServers: {} }),
  'plugins/review/templates/agent.md': agent('template'),
  // No manifest of its own, and a name that another plugin has too.
  'plugins/features/agents/code-reviewer.md': agent('code-reviewer', 'tools: Read, Bash\n'),
  'plugins/features/extra/architect.md': agent('architect'),
  // A list instead of the folder.
  'plugins/listed/.claude-plugin/plugin.json': json({ name: 'by-list', agents: ['./own/writer.md', './gone.md'] }),
  'plugins/listed/own/writer.md': agent('writer', 'tools: Read, Write\n'),
  'plugins/listed/agents/not-listed.md': agent('not-listed'),
  'plugins/only-commands/commands/build.md': command,
  'plugins/broken/.claude-plugin/plugin.json': json({ name: 'broken', agents: ['./agents'] }),
  'plugins/broken/agents/never.md': agent('never'),
  // The repository's own agents, for whoever works in it.
  '.claude/agents/maintainer.md': agent('maintainer'),
  '.claude/agents/README.md': 'About the agents.\n',
  '.claude/agents/empty.md': '',
  '.claude/commands/release.md': command,
  '.opencode/agents/helper.md': '---\ndescription: Helps\nmode: subagent\npermission:\n  edit: deny\n---\nYou help.\n',
  '.opencode/commands/ship.md': '---\ndescription: Ships\n---\nShip $ARGUMENTS\n',
  'opencode.json': json({
    agent: {
      helper: { description: 'Helps, says the configuration', permission: { bash: 'deny' } },
      alone: { description: 'Stands in the configuration', prompt: 'You are alone.', mode: 'subagent' },
      resting: { description: 'Rests', prompt: 'You rest.', disable: true },
    },
  }),
  '.trae/agents/cursed.md': '---\nname: cursed\ndescription: Of another program\nreadonly: true\n---\nYou read.\n',
  'packages/app/.claude/agents/nested.md': agent('nested'),
}

/** As Claude Code lists them with every plugin installed; its own agents left out. */
export const claudeNames = [
  'by-list:writer',
  'features:architect',
  'features:code-reviewer',
  'maintainer',
  'review:code-reviewer',
  'review:deep:tracer',
]

/** As OpenCode lists them. */
export const opencodeNames = ['alone', 'helper']
export const switchedOffNames = ['resting']

export const allNames = [...claudeNames, ...opencodeNames].sort()
