/** Other agents, the harness itself, skills and templates in a prompt. */
import { describe, expect, it } from 'vitest'
import { convert, patternOf } from './convert-text.ts'

describe('other agents', () => {
  it('are called by the names and arguments of the target', () => {
    const text =
      '```\nTask(subagent_type="general-purpose", prompt="x")\n```\nAsk the `Explore` agent, or the Explore agent.\n'
    expect(convert('opencode', text).text).toBe(
      '```\ntask(subagent_type="general", prompt="x")\n```\nAsk the `explore` agent, or the explore agent.\n',
    )
    expect(convert('codex', text).text).toBe(
      '```\nspawn_agent(agent_type="default", prompt="x")\n```\nAsk the `explorer` agent, or the explorer agent.\n',
    )
  })

  it('that are not there are told about', () => {
    const result = convert('opencode', 'Use subagent_type: Plan for it.')
    expect(result.changes).toEqual([])
    expect(result.gaps).toMatchObject([{ type: 'agent-type-mismatch', feature: 'agent: Plan' }])
    expect(result.todos).toEqual(['<!-- TODO: No built-in agent Plan on OpenCode. -->'])
    expect(convert('opencode', 'Use subagent_type: Plan for it.', { on: 'workaround' }).text).toBe(
      'Use subagent_type: general for it.',
    )
  })

  it('are not meant by ordinary words', () => {
    expect(convert('opencode', 'Explore the code. Plan it. A general-purpose language.').changes).toEqual([])
  })

  const renamed = { 'Code Reviewer': 'code-reviewer', planner: 'plan', 'qa-agent': 'qa' }

  it.each([
    ['Ask @planner now.', 'Ask @plan now.'],
    ['Use `planner` and `Code Reviewer`.', 'Use `plan` and `code-reviewer`.'],
    ['subagent_type: "qa-agent"', 'subagent_type: "qa"'],
    ['Hand it to the planner agent.', 'Hand it to the plan agent.'],
    ['Let the Code Reviewer agent look.', 'Let the code-reviewer agent look.'],
    ['[planner-to-qa-agent]: done', '[plan-to-qa]: done'],
    ['Delegate the rest to qa-agent.', 'Delegate the rest to qa.'],
    ['Run Task(planner).', 'Run task(plan).'],
  ])('have their new name: %s', (text, expected) => expect(convert('opencode', text, { renamed }).text).toBe(expected))

  it.each([
    'A planner plans; planner-like, my-planner, planners.',
    'See https://example.com/@planner and src/planner.ts.',
    'Buy a planner.',
  ])('keep other words: %s', (text) => expect(convert('opencode', text, { renamed }).changes).toEqual([]))

  it('are found among thousands', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`agent-${i}`, `a${i}`]))
    const text = 'Ask @agent-77 or the agent-4999 agent: [agent-1-to-agent-2]: `agent-5000`, `Code Reviewer`.'
    expect(convert('opencode', text, { renamed: { ...many, ...renamed } }).text).toBe(
      'Ask @a77 or the a4999 agent: [a1-to-a2]: `agent-5000`, `code-reviewer`.',
    )
  })
})

describe('the harness itself', () => {
  it('is called by its name where it runs the agent', () => {
    const text = 'Claude Code will stop you. The Claude Code platform loads it, running in Claude Code.\n'
    expect(convert('gemini-cli', text).text).toBe(
      'Gemini CLI will stop you. The Gemini CLI platform loads it, running in Gemini CLI.\n',
    )
  })

  it.each([
    'You know Claude Code plugins. Claude Code will load them.',
    'Works with Claude Code, Cursor and others. Claude Code will do.',
    'See https://example.com/Claude Code.',
    '# Claude Code will win',
    'I like Claude Code.',
  ])('keeps its name where it is a subject: %s', (text) => expect(convert('opencode', text).changes).toEqual([]))
})

describe('what is no matter of a harness', () => {
  it('stays', () => {
    const text = 'CRITICAL: Complete ALL 5 phases.\nRequires user permission approval.\n'
    const result = convert('opencode', text)
    expect(result.text).toBe(text)
    expect(patternOf(result, 'permission: user approval')).toMatchObject({ outcome: 'direct', occurrences: 1 })
  })
})

describe('skills', () => {
  it('are loaded as the target does it', () => {
    const text = 'Load the project-conventions skill. Call Skill(api-style) or `Skill("x")`.'
    const result = convert('opencode', text)
    expect(result.text).toBe(
      'Load the project-conventions skill. Call skill({ name: "api-style" }) or `skill({ name: "x" })`.',
    )
    expect(patternOf(result, 'skill: project-conventions')?.outcome).toBe('direct')
    expect(convert('qwen-code', 'Call Skill(api-style).').text).toBe('Call the skill `api-style`.')
  })

  it('are announced where they must be put into the prompt', () => {
    const result = convert('workplace', 'First.\n\nLoad the project-conventions skill.\n')
    expect(result.text).toMatch(
      /^First\.\n\nThe following guidelines are incorporated from project-conventions: <!-- TODO: Copy .* -->\n$/,
    )
    expect(result.gaps).toMatchObject([{ type: 'skill-unassignable', feature: 'skill: project-conventions' }])
    expect(result.todos).toHaveLength(0)
  })

  it('are in the prompt already where their text is copied', () => {
    const text = 'Load the x-y skill.\nUse the `x-y` skill for all of it.\n'
    const result = convert('workplace', text, { inlined: ['x-y'] })
    expect(result.text).toBe(
      'Follow the guidelines of x-y at the end of this prompt.\nFollow the guidelines of x-y at the end of this prompt for all of it.\n',
    )
    expect(result.gaps).toEqual([])
  })
})

describe('names with capitals', () => {
  const renamed = { 'BRD Quality Reviewer': 'brd-quality-reviewer', 'Data Clerk': 'data-clerk' }

  it('follow wherever they stand, because they are no English', () => {
    const text =
      'Hand it to the BRD Quality Reviewer.\n\n| Data Clerk | keeps it |\n|---|---|\n\nThe Data Clerk\u2019s word counts.'
    expect(convert('opencode', text, { renamed }).text).toBe(
      text.replace('BRD Quality Reviewer', 'brd-quality-reviewer').replaceAll('Data Clerk', 'data-clerk'),
    )
  })

  it.each([
    'You are the Data Clerk.',
    '# Data Clerk',
    'The Senior Data Clerk decides.',
    'The Data Clerk Handbook is long.',
  ])('stay where they are a title or part of a longer name: %s', (text) =>
    expect(convert('opencode', text, { renamed }).changes).toEqual([]),
  )
})

describe('templates', () => {
  it('are kept from being filled in', () => {
    const text = 'Echo ${HOME}, ${X:-y}, ${{ x }} and ${today}.'
    expect(convert('gemini-cli', text).text).toBe('Echo $ {HOME}, ${X:-y}, ${{ x }} and $ {today}.')
    expect(convert('opencode', text).changes).toEqual([])
    // Also where another pass has something to say about it.
    expect(convert('gemini-cli', 'Run ${CLAUDE_PLUGIN_ROOT}/bin/x.').text).toBe('Run $ {CLAUDE_PLUGIN_ROOT}/bin/x.')
  })

  it.each([
    ['```bash\necho "${pfx}-*.md" ${HOME}/x ${1}\n```', '```bash\necho "$pfx-*.md" $HOME/x $1\n```'],
    [
      '```sh\necho ${a}b ${10} ${x[0]} ${y%.md} ${z}[0]\n```',
      '```sh\necho ${a-}b ${10-} ${x[0]} ${y%.md} ${z-}[0]\n```',
    ],
    ['```ts\nconst a = `${name}!`\n```', '```ts\nconst a = `${ name }!`\n```'],
    ['Name it `${pfx}-2026.md`.', 'Name it `$pfx-2026.md`.'],
    ['```yaml\na: ${name}\n```', '```yaml\na: $ {name}\n```'],
  ])('mean the same to code: %j', (text, expected) => {
    expect(convert('gemini-cli', text).text).toBe(expected)
  })

  it('are kept from being expanded', () => {
    const text = 'Write {file:./x} or {env:HOME}.'
    expect(convert('opencode', text).changes).toEqual([])
    expect(convert('opencode', text, { carrier: 'config' }).text).toBe('Write { file:./x} or { env:HOME}.')
  })

  it('are told about where nobody fills them in any more', () => {
    const result = convert('claude-code', 'Answer ${query}.', { from: 'gemini-cli' })
    expect(result.changes).toEqual([])
    expect(result.todos).toEqual(['<!-- TODO: Gemini CLI replaces ${query} with a value; Claude Code does not. -->'])
    expect(convert('gemini-cli', 'Answer ${query}.', { from: 'gemini-cli' }).changes).toEqual([])
  })
})
