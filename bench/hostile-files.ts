/** Files of at most 1 MB built to cost as much as possible, each in several sizes. */

/** A project: its files by path. A `Link` is a symbolic link, `null` a named pipe. */
export type Files = Readonly<Record<string, string | Link | null>>

export interface Link {
  readonly to: string
}

export interface Shape {
  readonly name: string
  /** The file with about so many bytes of hostile content, and the files it needs. */
  readonly make: (bytes: number) => Files
  /** Bytes, or rules: the first size, then twice and four times as many. */
  readonly sizes: readonly number[]
  readonly unit?: 'rules'
  readonly commands: readonly (readonly string[])[]
}

const KB = 1024
/** Just below 1 MB, with room for what surrounds the hostile part. */
const WHOLE = [250 * KB, 500 * KB, 1000 * KB]
/** Just below the limit of front matter. */
const FRONT = [31 * KB, 62 * KB, 124 * KB]

const LOOK = [['list'], ['check'], ['check', '--json']] as const
const to = (...targets: string[]) => targets.map((target) => ['convert', '--to', target, '--yes', '--out', 'out'])

/** As many lines as fit. */
function lines(bytes: number, line: (index: number) => string): string {
  const all: string[] = []
  for (let size = 0, index = 0; ; index++) {
    const next = line(index)
    size += next.length + 1
    if (size > bytes) return all.join('\n')
    all.push(next)
  }
}

const repeat = (bytes: number, text: string) => text.repeat(Math.floor(bytes / text.length))

const claude = (front: string, body = 'Do the work with Read and Grep.\n'): Files => ({
  '.claude/agents/a.md': `---\nname: a\ndescription: An agent\n${front}\n---\n${body}`,
})
const opencode = (front: string, body = 'Do the work.\n'): Files => ({
  '.opencode/agents/a.md': `---\ndescription: An agent\n${front}\n---\n${body}`,
})
const agent = { description: 'An agent', prompt: 'Do the work.' }
const config = (text: string): Files => ({ 'opencode.json': text })
const codex = (text: string): Files => ({
  '.codex/agents/a.toml': `name = "a"\ndescription = "An agent"\n${text}\ndeveloper_instructions = "Do the work."\n`,
})
const prs = (text: string): Files => ({ 'project.prs': text })
/** An ordinary agent in a project with a file beside it. */
const beside = (files: Files): Files => ({ ...claude('tools: Read, Grep'), ...files })

type Make = (bytes: number) => Files

const inFront = (name: string, make: Make, commands: Shape['commands']): Shape[] => [
  { name, make, sizes: FRONT, commands },
  { name: `${name}, 1 MB`, make, sizes: WHOLE, commands },
]
const whole = (name: string, make: Make, commands: Shape['commands']): Shape[] => [
  { name, make, sizes: WHOLE, commands },
]

/** As many rules as are read. */
const rules = (name: string, make: Make, commands: Shape['commands']): Shape[] => [
  { name: `500 rules: ${name}`, make, sizes: [124, 248, 496], unit: 'rules', commands },
]
const each = (count: number, rule: (index: number) => string, by = '\n') =>
  Array.from({ length: count }, (_, index) => rule(index)).join(by)
const either = (index: number) => (index % 3 === 0 ? 'allow' : index % 3 === 1 ? 'deny' : 'ask')

const FROM_CLAUDE = [...LOOK, ...to('opencode', 'codex')]
const FROM_OPENCODE = [...LOOK, ...to('claude-code', 'qwen-code')]
const FROM_CODEX = [...LOOK, ...to('claude-code')]
const FROM_PRS = [...LOOK, ...to('claude-code')]

const listOf = (bytes: number, item: (index: number) => string) =>
  lines(bytes, (i) => ` ${item(i)},`)
    .replaceAll('\n', '')
    .slice(1, -1)

export const shapes: readonly Shape[] = [
  // Lists of tools and rules
  ...inFront('tools: mcp__sN__t', (b) => claude(`tools: ${listOf(b, (i) => `mcp__s${i}__t`)}`), FROM_CLAUDE),
  ...inFront('tools: Bash(cN:*)', (b) => claude(`tools: ${listOf(b, (i) => `Bash(c${i}:*)`)}`), FROM_CLAUDE),
  ...inFront('tools: one name again and again', (b) => claude(`tools: ${listOf(b, () => 'Read')}`), FROM_CLAUDE),
  ...inFront('tools: unknown names', (b) => claude(`tools: ${listOf(b, (i) => `Tol${i}`)}`), FROM_CLAUDE),
  ...inFront('tools: one long word', (b) => claude(`tools: ${repeat(b, 'a')}`), FROM_CLAUDE),
  ...inFront('tools: open parentheses', (b) => claude(`tools: ${repeat(b, 'Bash(')}`), FROM_CLAUDE),
  ...inFront('tools: quotes', (b) => claude(`tools: ${repeat(b, "'a, ")}`), FROM_CLAUDE),
  ...inFront('tools: a list of items', (b) => claude(`tools:\n${lines(b, (i) => `  - mcp__s${i}__t`)}`), FROM_CLAUDE),
  ...inFront(
    'disallowedTools: mcp__sN__t_*',
    (b) => claude(`disallowedTools: ${listOf(b, (i) => `mcp__s${i}__t_*`)}`),
    FROM_CLAUDE,
  ),
  ...inFront(
    'permission: "sN_*"',
    (b) => opencode(`permission:\n${lines(b, (i) => `  "s${i}_*": deny`)}`),
    FROM_OPENCODE,
  ),
  ...inFront(
    'permission: paths with many **/',
    (b) => opencode(`permission:\n  edit:\n${lines(b, (i) => `    "${'**/a/'.repeat(12)}${i}": allow`)}`),
    FROM_OPENCODE,
  ),
  ...inFront(
    'permission: bash, many patterns',
    (b) => opencode(`permission:\n  bash:\n${lines(b, (i) => `    "git c${i} *": ${i % 2 ? 'allow' : 'deny'}`)}`),
    FROM_OPENCODE,
  ),
  ...inFront(
    'permission: rules of 300 *a',
    (b) =>
      opencode(`permission:\n  bash:\n${lines(b, (i) => `    "${i}${'*a'.repeat(300)}": ${i % 2 ? 'allow' : 'ask'}`)}`),
    FROM_OPENCODE,
  ),
  ...inFront(
    'permission: names of 300 *a',
    (b) => opencode(`permission:\n${lines(b, (i) => `  "${i}${'*a'.repeat(300)}": deny`)}`),
    FROM_OPENCODE,
  ),
  ...inFront(
    'permission: paths of 300 ?*a',
    (b) =>
      opencode(
        `permission:\n  edit:\n${lines(b, (i) => `    "${'?*a'.repeat(200)}${i}": ${i % 2 ? 'allow' : 'ask'}`)}`,
      ),
    FROM_OPENCODE,
  ),
  ...inFront(
    'permission: two patterns, one long',
    (b) => opencode(`permission:\n  bash:\n    "${repeat(b / 2, '*a')}": allow\n    "${repeat(b / 2, '*aa')}": deny`),
    FROM_OPENCODE,
  ),
  ...inFront(
    'disallowedTools: Bash(*a*a...)',
    (b) => claude(`disallowedTools: ${listOf(b, (i) => `Bash(${i}${'*a'.repeat(300)})`)}`),
    FROM_CLAUDE,
  ),
  ...inFront(
    'tools: Edit(**/a/**/...)',
    (b) => claude(`tools: ${listOf(b, (i) => `Edit(${'**/a/'.repeat(60)}${i})`)}`),
    FROM_CLAUDE,
  ),
  // As many rules as are read, and no more
  ...rules('mcp__sN__t', (n) => claude(`tools: ${each(n, (i) => `mcp__s${i}__t`, ', ')}`), FROM_CLAUDE),
  ...rules(
    'a fifth as many servers',
    (n) => claude(`mcpServers:\n${each(Math.floor(n / 5), (i) => `  s${i}: {command: x}`)}`),
    FROM_CLAUDE,
  ),
  ...rules('mcp__sN__t_*', (n) => claude(`disallowedTools: ${each(n, (i) => `mcp__s${i}__t_*`, ', ')}`), FROM_CLAUDE),
  ...rules('unknown names', (n) => claude(`tools: ${each(n, (i) => `Tol${i}`, ', ')}`), FROM_CLAUDE),
  ...rules('Bash(cN:*)', (n) => claude(`tools: ${each(n, (i) => `Bash(c${i}:*)`, ', ')}`), FROM_CLAUDE),
  ...rules('Edit(**/a/...)', (n) => claude(`tools: ${each(n, (i) => `Edit(**/a/**/b${i}/**)`, ', ')}`), FROM_CLAUDE),
  ...rules(
    'Edit(**/a/**/a/...)',
    (n) => claude(`tools: ${each(n, (i) => `Edit(${'**/a/'.repeat(10)}${i % 10})`, ', ')}`),
    FROM_CLAUDE,
  ),
  ...rules(
    'Edit(a*/a*/...)',
    (n) => claude(`disallowedTools: ${each(n, (i) => `Edit(${'a*/'.repeat(4 + (i % 12))}**)`, ', ')}`),
    FROM_CLAUDE,
  ),
  ...rules('"sN_*"', (n) => opencode(`permission:\n${each(n, (i) => `  "s${i}_*": ${either(i)}`)}`), FROM_OPENCODE),
  ...rules('"*aN*_*"', (n) => opencode(`permission:\n${each(n, (i) => `  "*a${i}*_*": ${either(i)}`)}`), FROM_OPENCODE),
  ...rules(
    'bash',
    (n) => opencode(`permission:\n  bash:\n${each(n, (i) => `    "git c${i} *": ${either(i)}`)}`),
    FROM_OPENCODE,
  ),
  ...rules(
    'bash, all alike',
    (n) => opencode(`permission:\n  bash:\n${each(n, (i) => `    "${'*a'.repeat(1 + (i % 12))}${i}*": ${either(i)}`)}`),
    FROM_OPENCODE,
  ),
  ...rules(
    'edit, all alike',
    (n) => opencode(`permission:\n  edit:\n${each(n, (i) => `    "${'*/'.repeat(1 + (i % 12))}${i}*": ${either(i)}`)}`),
    FROM_OPENCODE,
  ),
  ...rules(
    'every tool, with patterns',
    (n) =>
      opencode(
        `permission:\n${['read', 'edit', 'bash', 'webfetch', 'task', 'skill', 'glob', 'grep']
          .map((key) => `  ${key}:\n${each(Math.floor(n / 8), (i) => `    "?*${i}*": ${either(i)}`)}`)
          .join('\n')}`,
      ),
    FROM_OPENCODE,
  ),
  ...rules(
    'with ? and *',
    (n) => opencode(`permission:\n  bash:\n${each(n, (i) => `    "${'?*a'.repeat(18)}${i % 10}": ${either(i)}`)}`),
    FROM_OPENCODE,
  ),
  ...rules(
    'long ones',
    (n) => opencode(`permission:\n  bash:\n${each(n, (i) => `    "${i}${'*a'.repeat(28)}": ${either(i)}`)}`),
    FROM_OPENCODE,
  ),
  // YAML
  ...inFront('kN: [x', (b) => claude(lines(b, (i) => `k${i}: [x`)), FROM_CLAUDE),
  ...inFront('description: x: and quotes', (b) => claude(`description: x: ${repeat(b, '"')}`), FROM_CLAUDE),
  ...inFront('plain keys', (b) => claude(lines(b, (i) => `k${i}: v`)), FROM_CLAUDE),
  ...inFront('repeated tools: lines', (b) => claude(lines(b, () => 'tools: Read')), FROM_CLAUDE),
  ...inFront('repeated broken lines', (b) => claude(lines(b, () => 'tools: [Read')), FROM_CLAUDE),
  ...inFront('tabs', (b) => claude(`hooks:\n${lines(b, (i) => `\tk${i}: v`)}`), FROM_CLAUDE),
  ...inFront('tabs that do not help', (b) => claude(`hooks:\n${lines(b, (i) => `\tk${i}: [`)}`), FROM_CLAUDE),
  ...inFront('nested maps', (b) => claude(nested(b)), FROM_CLAUDE),
  ...inFront('flow brackets', (b) => claude(`hooks: ${repeat(b, '[')}`), FROM_CLAUDE),
  ...inFront('flow brackets in groups', (b) => claude(`hooks: ${repeat(b, '[[[[[a,')}`), FROM_CLAUDE),
  ...inFront('flow braces', (b) => claude(`hooks: {${repeat(b, 'a: {b: 1}, ')}}`), FROM_CLAUDE),
  ...inFront('aliases', (b) => claude(`a: &a [1]\n${lines(b, (i) => `k${i}: &b${i} [*a, *a]`)}`), FROM_CLAUDE),
  ...inFront('a billion laughs', (b) => claude(laughs(b)), FROM_CLAUDE),
  ...inFront('merge keys', (b) => claude(`a: &a {x: 1}\n${lines(b, (i) => `k${i}: {<<: *a}`)}`), FROM_CLAUDE),
  ...inFront('comments', (b) => claude(lines(b, () => '# c')), FROM_CLAUDE),
  ...inFront('comments and a broken line', (b) => claude(`model: [x\n${lines(b, () => '# c')}`), FROM_CLAUDE),
  ...inFront(
    'stray lines',
    (b) => ({ '.claude/agents/a.md': `---\n${lines(b, () => '!x')}\nname: a\n---\nx\n` }),
    FROM_CLAUDE,
  ),
  ...inFront('a block of blank lines', (b) => claude(`description: |\n${repeat(b, '\n')}`), FROM_CLAUDE),
  ...inFront('a value of spaces', (b) => claude(`model: [x${repeat(b, ' ')}`), FROM_CLAUDE),
  ...inFront('signs around a denied name', (b) => claude(`disallowedTools: "é${repeat(b, '!')}x"`), FROM_CLAUDE),
  ...inFront('underscores in a denied name', (b) => claude(`disallowedTools: Foo${repeat(b, '_')}x`), FROM_CLAUDE),
  ...inFront('stars in a denied name', (b) => claude(`disallowedTools: Foo${repeat(b, '*')}x`), FROM_CLAUDE),
  ...inFront('blanks in a pattern', (b) => claude(`tools: "Read(${repeat(b, ' ')}x)"`), FROM_CLAUDE),
  ...inFront('spaces and a hash', (b) => claude(`tools: [x\n${repeat(b, ' #')}`), FROM_CLAUDE),
  ...inFront(
    'an indented opener',
    (b) => ({ '.claude/agents/a.md': `  ---\n${lines(b, (i) => `  k${i}: v`)}\n  ---\nx\n` }),
    FROM_CLAUDE,
  ),
  ...inFront('question marks', (b) => claude(lines(b, (i) => `? k${i}`)), FROM_CLAUDE),
  ...inFront('tags and anchors', (b) => claude(lines(b, (i) => `k${i}: !!str &x${i} v`)), FROM_CLAUDE),
  ...inFront('escapes', (b) => claude(`description: "${repeat(b, '\\u0041')}"`), FROM_CLAUDE),
  ...inFront('documents', (b) => claude(`description: x\n${lines(b, () => '--- x')}`), FROM_CLAUDE),
  ...inFront(
    'mcpServers by the thousand',
    (b) => claude(`mcpServers:\n${lines(b, (i) => `  s${i}: {command: x}`)}`),
    FROM_CLAUDE,
  ),
  ...inFront('skills by the thousand', (b) => claude(`skills:\n${lines(b, (i) => `  - s${i}`)}`), FROM_CLAUDE),
  ...inFront(
    'hooks by the thousand',
    (b) => claude(`hooks:\n  PreToolUse:\n${lines(b, (i) => `    - matcher: t${i}`)}`),
    FROM_CLAUDE,
  ),
  ...inFront(
    'qwen: broken lines',
    (b) => ({
      '.qwen/agents/a.md': `---\nname: aa\ndescription: x: y\n${lines(b, (i) => `k${i}: [x`)}\n---\nDo the work.\n`,
    }),
    [...LOOK, ...to('claude-code')],
  ),
  ...inFront(
    'copilot: tools',
    (b) => ({
      '.github/agents/a.md': `---\ndescription: x\ntools: [${listOf(b, (i) => `s${i}/t`)}]\n---\nDo the work.\n`,
    }),
    [...LOOK, ...to('claude-code')],
  ),
  ...inFront(
    'gemini: tools',
    (b) => ({
      '.gemini/agents/a.md': `---\nname: a\ndescription: x\ntools: [${listOf(b, (i) => `mcp_s${i}_t`)}]\n---\nDo the work.\n`,
    }),
    [...LOOK, ...to('claude-code')],
  ),
  ...whole(
    'fences that never close',
    (b) => ({ '.claude/agents/a.md': `---\n${lines(b, () => '----')}\n` }),
    FROM_CLAUDE,
  ),
  ...whole(
    'odd fences',
    (b) => ({ '.claude/agents/a.md': `---\nname: a\n${lines(b, () => '----- x')}\n` }),
    FROM_CLAUDE,
  ),
  // The body
  ...body('plain words', 'word '),
  ...body('tool words', 'use the Read tool and `Bash(git diff)`, then Grep. '),
  ...body('lines of tool words', '- Use the **Read** tool\n'),
  ...body('code spans', '`Read` '),
  ...body('back quotes', '`a``b```c'),
  ...body('open back quotes', '` `` ``` '),
  ...body('stars', '*a **b '),
  ...body('brackets', '[a]('),
  ...body('open brackets', '['),
  ...body('angle brackets', '<a '),
  ...body('open comments', '<!-- '),
  ...body('open processing instructions', '<? <!A <![CDATA['),
  ...body('quotes in tags', '<a b="'),
  ...body('quotation marks', '> '),
  ...body('lists in lists', '- '),
  ...body('lines of lists', '- a\n  - b\n'),
  ...body('fences', '```\n'),
  ...body('fences of tildes', '~~~ a\n'),
  ...body('headings', '# a\n'),
  ...body('tables', '| Read | Bash | Edit |\n'),
  ...body('a row without end', '| a '),
  ...body('placeholders', '${query} {{x}} $ARGUMENTS {file:x} '),
  ...body('open placeholders', '${'),
  ...body('references to agents', '@agent-b and subagent_type: b, Task(b) '),
  ...body('paths', '.claude/agents/b.md ~/.claude/skills/x '),
  ...body('mcp names', 'mcp__a__b_c '),
  ...body('slashes', '/'),
  ...body('blank lines', '\n'),
  ...body('carriage returns', '\r'),
  ...body('dashes', '-----\n'),
  ...body('links', '[Read]: /x "Read"\n[Read] '),
  ...body('entities', '&amp;&#65;'),
  ...body('html blocks', '<div>\n\n'),
  ...body('backslashes', '\\'),
  ...body('astral characters', '😀'),
  ...body('a sentence of tool names', 'Read, Write, Edit, Bash, Grep, Glob, '),
  ...body('troupe notes', '<!-- troupe: TODO x -->\n'),
  ...whole(
    'blank lines with words at both ends',
    (b) => ({ '.claude/agents/a.md': `---\nname: a\ndescription: x\n---\nx${repeat(b, '\n')}x\n` }),
    [...FROM_CLAUDE, ...to('promptscript')],
  ),
  ...whole(
    'a line of spaces with words at both ends',
    (b) => ({ '.claude/agents/a.md': `---\nname: a\ndescription: x\n---\nx${repeat(b, ' ')}x\n` }),
    FROM_CLAUDE,
  ),
  ...whole('no front matter', (b) => ({ '.claude/agents/a.md': repeat(b, 'Use the Read tool. ') }), FROM_CLAUDE),
  ...whole('white space before nothing', (b) => ({ '.claude/agents/a.md': repeat(b, ' \n') }), FROM_CLAUDE),
  ...whole('NUL characters', (b) => ({ '.claude/agents/a.md': repeat(b, '\0') }), FROM_CLAUDE),
  // JSON
  ...whole(
    'json: repeated keys',
    (b) => config(`{"agent":{"a":{${lines(b, () => '"description":"x",')}"prompt":"y"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: repeated agents',
    (b) => config(`{"agent":{${lines(b, () => '"a":{"prompt":"y"},')}"b":{"prompt":"y"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: many agents',
    (b) => config(`{"agent":{${lines(b, (i) => `"a${i}":{"prompt":"y"},`)}"b":{"prompt":"y"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: many empty agents',
    (b) => config(`{"agent":{${lines(b, (i) => `"a${i}":{},`)}"b":{"prompt":"y"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: no agents',
    (b) => config(`{"agent":{${lines(b, (i) => `"a${i}":1,`)}"b":{"prompt":"y"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: permission keys',
    (b) => config(`{"agent":{"a":{"permission":{${lines(b, (i) => `"s${i}_*":"deny",`)}"bash":"deny"},"prompt":"y"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: top permission keys',
    (b) =>
      config(
        `{"permission":{${lines(b, (i) => `"s${i}_*":"deny",`)}"bash":"deny"},"agent":{"a":${JSON.stringify(agent)}}}`,
      ),
    FROM_OPENCODE,
  ),
  ...whole('json: brackets', (b) => config(`{"agent":{"a":{"x":${repeat(b, '[')}`), FROM_OPENCODE),
  ...whole('json: braces', (b) => config(repeat(b, '{"a":')), FROM_OPENCODE),
  ...whole('json: commas', (b) => config(`{"agent":{"a":{"x":[${repeat(b, ',')}]}}}`), FROM_OPENCODE),
  ...whole('json: quotes', (b) => config(`{"agent":{"a":{"prompt":${repeat(b, '"')}`), FROM_OPENCODE),
  ...whole(
    'json: broken lines',
    (b) => config(`{"agent":{"a":{\n${lines(b, (i) => `"k${i}" x: [,`)}}}}`),
    FROM_OPENCODE,
  ),
  ...whole('json: open comments', (b) => config(`{"agent":{"a":{"prompt":"x" ${repeat(b, '/* ')}`), FROM_OPENCODE),
  ...whole(
    'json: comments',
    (b) => config(`{"agent":{"a":{\n${lines(b, () => '// x')}\n"prompt":"x"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: one long prompt',
    (b) => config(`{"agent":{"a":{"prompt":"${repeat(b, 'Use the Read tool.\\n')}"}}}`),
    FROM_OPENCODE,
  ),
  ...whole('json: escapes', (b) => config(`{"agent":{"a":{"prompt":"${repeat(b, '\\u0041')}"}}}`), FROM_OPENCODE),
  ...whole(
    'json: {file:} of itself',
    (b) => config(`{"agent":{"a":{"prompt":"${repeat(b, '{file:./opencode.json}')}"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: {file:} of small files',
    (b) => ({ ...config(`{"agent":{"a":{"prompt":"${repeat(b, '{file:./x.md}')}"}}}`), 'x.md': 'x'.repeat(100) }),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: {file:} of nothing',
    (b) => config(`{"agent":{"a":{"prompt":"${repeat(b, '{file:./y.md}')}"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: {file:} of many names',
    (b) => config(`{"agent":{"a":{"prompt":"${lines(b, (i) => `{file:./${i}.md}`).replaceAll('\n', '')}"}}}`),
    FROM_OPENCODE,
  ),
  ...whole(
    'json: {file:} in many agents',
    (b) => ({
      ...config(`{"agent":{${lines(b, (i) => `"a${i}":{"prompt":"{file:./x.md}"},`)}"b":{"prompt":"y"}}}`),
      'x.md': 'x'.repeat(100_000),
    }),
    FROM_OPENCODE,
  ),
  ...whole('json: {env:}', (b) => config(`{"agent":{"a":{"prompt":"${repeat(b, '{env:PATH}')}"}}}`), FROM_OPENCODE),
  // TOML
  ...whole('toml: plain keys', (b) => codex(lines(b, (i) => `k${i} = 1`)), FROM_CODEX),
  ...whole('toml: repeated keys', (b) => codex(lines(b, () => 'model = "x"')), FROM_CODEX),
  ...whole('toml: broken lines', (b) => codex(lines(b, (i) => `k${i} = [x`)), FROM_CODEX),
  ...whole('toml: quotes', (b) => codex(`model = ${repeat(b, '"')}`), FROM_CODEX),
  ...whole('toml: triple quotes', (b) => codex(lines(b, () => 'a = """')), FROM_CODEX),
  ...whole('toml: tables', (b) => codex(lines(b, (i) => `[t${i}]`)), FROM_CODEX),
  ...whole('toml: repeated tables', (b) => codex(lines(b, () => '[t]')), FROM_CODEX),
  ...whole('toml: arrays of tables', (b) => codex(lines(b, () => '[[t]]')), FROM_CODEX),
  ...whole('toml: dotted keys', (b) => codex(lines(b, (i) => `a.b.k${i} = 1`)), FROM_CODEX),
  ...whole('toml: one deep key', (b) => codex(`${repeat(b, 'a.')}a = 1`), FROM_CODEX),
  ...whole('toml: deep tables', (b) => codex(lines(b, (i) => `[${'a.'.repeat(100)}k${i}]`)), FROM_CODEX),
  ...whole('toml: brackets', (b) => codex(`x = ${repeat(b, '[')}`), FROM_CODEX),
  ...whole('toml: an array', (b) => codex(`x = [${repeat(b, '1,')}]`), FROM_CODEX),
  ...whole('toml: inline tables', (b) => codex(`x = ${repeat(b, '{a=')}`), FROM_CODEX),
  ...whole('toml: mcp servers', (b) => codex(lines(b, (i) => `[mcp_servers.s${i}]\ncommand = "x"`)), FROM_CODEX),
  ...whole('toml: comments', (b) => codex(lines(b, () => '# c')), FROM_CODEX),
  ...whole(
    'config.toml: declarations',
    (b) => ({ ...codex(''), '.codex/config.toml': lines(b, (i) => `[agents.r${i}]\nconfig_file = "agents/a.toml"`) }),
    FROM_CODEX,
  ),
  ...whole(
    'config.toml: broken',
    (b) => ({ ...codex(''), '.codex/config.toml': lines(b, (i) => `k${i} = [x`) }),
    FROM_CODEX,
  ),
  ...whole(
    'agent.toml: rules',
    (b) => ({
      'agents/a/agent.toml': `name = "a"\ndescription = "x"\nsystem_prompt = "Do it."\n[permission.bash]\nintent = "ask"\nrules = [\n${lines(b, (i) => `  "allow:c${i} *",`)}\n]\n`,
    }),
    [...LOOK, ...to('opencode')],
  ),
  // PromptScript
  ...whole(
    'prs: many agents',
    (b) => prs(`@agents {\n${lines(b, (i) => `a${i}: { description: "x" content: "y" }`)}\n}\n`),
    FROM_PRS,
  ),
  ...whole(
    'prs: repeated agents',
    (b) => prs(`@agents {\n${lines(b, () => 'a: { description: "x" content: "y" }')}\n}\n`),
    FROM_PRS,
  ),
  ...whole(
    'prs: broken agents',
    (b) => prs(`@agents {\n${lines(b, (i) => `a${i}: { description: "x content: [`)}\n}\n`),
    FROM_PRS,
  ),
  ...whole('prs: braces', (b) => prs(`@agents ${repeat(b, '{ a: ')}`), FROM_PRS),
  ...whole('prs: brackets', (b) => prs(`@agents { a: { tools: ${repeat(b, '[')}`), FROM_PRS),
  ...whole('prs: quotes', (b) => prs(`@agents { a: { content: ${repeat(b, '"')}`), FROM_PRS),
  ...whole('prs: triple quotes', (b) => prs(`@agents { a: { content: ${repeat(b, '""" ')}`), FROM_PRS),
  ...whole('prs: keys', (b) => prs(`@agents { a: {\n${lines(b, (i) => `k${i}: 1`)}\n} }\n`), FROM_PRS),
  ...whole(
    'prs: tools',
    (b) => prs(`@agents { a: { description: "x" content: "y" tools: [${listOf(b, (i) => `"mcp__s${i}__t"`)}] } }\n`),
    FROM_PRS,
  ),
  ...whole('prs: blocks', (b) => prs(lines(b, (i) => `@b${i} { }`)), FROM_PRS),
  ...whole(
    'prs: @extend',
    (b) => prs(`@agents { a: { content: "y" } }\n${lines(b, (i) => `@extend agents.a${i} { x: 1 }`)}`),
    FROM_PRS,
  ),
  ...whole('prs: comments', (b) => prs(`@agents { a: { content: "y" } }\n${lines(b, () => '# c')}`), FROM_PRS),
  ...whole(
    'prs: plain text',
    (b) => prs(`@agents { a: { content: "y" } }\n@identity {\n${lines(b, () => 'x " [ {')}\n}`),
    FROM_PRS,
  ),
  ...whole('prs: import', (b) => claude('tools: Read', repeat(b, 'Use the Read tool """ \\ # @x { . ')), [
    ['import', '.claude/agents', '-o', 'out.prs'],
  ]),
  // Troupe's own files
  ...whole('lock: /dev/zero', () => beside({ 'troupe.lock': { to: '/dev/zero' } }), ownFiles()),
  ...whole('lock: a pipe', () => beside({ 'troupe.lock': null }), ownFiles()),
  ...whole('lock: a folder', () => beside({ 'troupe.lock/x': 'x' }), ownFiles()),
  ...whole('lock: brackets', (b) => beside({ 'troupe.lock': repeat(b, '[') }), ownFiles()),
  ...whole(
    'lock: entries',
    (b) =>
      beside({
        'troupe.lock': `{"schema":1,"files":{${lines(b, (i) => `"f${i}.md":{"by":"build","hash":"x","source":"s","from":"a","to":"b","sourceHash":"x"},`)}"x":{"by":"build","hash":"x"}}}`,
      }),
    ownFiles(),
  ),
  ...whole(
    'lock: forgotten sources',
    (b) =>
      beside({
        'troupe.lock': `{"schema":1,"files":{\n${lines(b, (i) => `".opencode/agents/f${i}.md":{"by":"build","from":"claude-code","hash":"x","source":".claude/agents/a.md","sourceHash":"x","to":"opencode"},`)}\n".opencode/agents/x.md":{"by":"build","hash":"x"}\n}}\n`,
      }),
    ownFiles(),
  ),
  ...whole('troupe.yaml: /dev/zero', () => beside({ 'troupe.yaml': { to: '/dev/zero' } }), ownFiles()),
  ...whole('troupe.yaml: a pipe', () => beside({ 'troupe.yaml': null }), ownFiles()),
  ...inFront(
    'troupe.yaml: plain keys',
    (b) => beside({ 'troupe.yaml': `source: .claude/agents\ntargets: [opencode]\n${lines(b, (i) => `k${i}: v`)}\n` }),
    ownFiles(),
  ),
  ...inFront('troupe.yaml: broken', (b) => beside({ 'troupe.yaml': lines(b, (i) => `k${i}: [x`) }), ownFiles()),
  ...inFront(
    'troupe.yaml: sources',
    (b) => beside({ 'troupe.yaml': `source:\n${lines(b, () => '  - .claude/agents')}\ntargets: [opencode]\n` }),
    ownFiles(),
  ),
  ...inFront(
    'troupe.yaml: targets',
    (b) => beside({ 'troupe.yaml': `source: .claude/agents\ntargets:\n${lines(b, () => '  - opencode')}\n` }),
    ownFiles(),
  ),
  ...inFront(
    'troupe.yaml: models',
    (b) =>
      beside({
        'troupe.yaml': `source: .claude/agents\ntargets: [opencode]\nmodels:\n  opencode:\n${lines(b, (i) => `    m${i}: x/y`)}\n`,
      }),
    ownFiles(),
  ),
  ...whole('troupe.yaml: a billion laughs', (b) => beside({ 'troupe.yaml': `${laughs(b)}\nsource: *z\n` }), ownFiles()),
  ...whole('answers: broken', (b) => beside({ 'answers.yaml': lines(b, (i) => `k${i}: [x`) }), answers()),
  ...inFront(
    'answers: many',
    (b) => beside({ 'answers.yaml': `gaps:\n${lines(b, (i) => `  g${i}: omit`)}\n` }),
    answers(),
  ),
  ...whole('answers: /dev/zero', () => beside({ 'answers.yaml': { to: '/dev/zero' } }), answers()),
  ...whole('answers: a pipe', () => beside({ 'answers.yaml': null }), answers()),
  ...whole(
    'harness file: keys',
    (b) => beside({ '.troupe/harnesses/x.yaml': lines(b, (i) => `k${i}: v`) }),
    ownFiles(),
  ),
  ...whole(
    'harness file: broken',
    (b) => beside({ '.troupe/harnesses/x.yaml': lines(b, (i) => `k${i}: [x`) }),
    ownFiles(),
  ),
  ...whole('harness file: /dev/zero', () => beside({ '.troupe/harnesses/x.yaml': { to: '/dev/zero' } }), ownFiles()),
  ...whole('harness file: a pipe', () => beside({ '.troupe/harnesses/x.yaml': null }), ownFiles()),
  ...whole('an output of conversion as a pipe', () => beside({ 'out/.opencode/agents/a.md': null }), to('opencode')),
  ...whole(
    'an output of conversion: /dev/zero',
    () => beside({ 'out/.opencode/agents/a.md': { to: '/dev/zero' } }),
    to('opencode'),
  ),
  ...whole(
    'settings to edit: broken',
    (b) => beside({ 'out/opencode.json': `{"agent":{${lines(b, (i) => `"k${i}" [`)}` }),
    [['convert', '--to', 'opencode:config', '--yes', '--out', 'out']],
  ),
  ...whole(
    'settings to edit: many keys',
    (b) => beside({ 'out/opencode.json': `{"agent":{${lines(b, (i) => `"k${i}":{},`)}"x":{}}}` }),
    [['convert', '--to', 'opencode:config', '--yes', '--out', 'out']],
  ),
  ...whole('journal of undo: broken', (b) => beside({ '.troupe/undo/journal.json': repeat(b, '[') }), [['undo']]),
  ...whole('a folder of agents: /dev/zero', () => beside({ '.claude/agents/b.md': { to: '/dev/zero' } }), FROM_CLAUDE),
  ...whole('a folder of agents: a pipe', () => beside({ '.claude/agents/b.md': null }), FROM_CLAUDE),
  ...whole(
    'settings: .claude/settings.json',
    (b) => beside({ '.claude/settings.json': `{"permissions":{"deny":[${lines(b, (i) => `"Bash(c${i}:*)",`)}"x"]}}` }),
    [['check'], ['show', 'a', '--effective'], ['explain', 'a', 'shell', 'git push']],
  ),
  ...whole(
    'settings: opencode.json rules',
    (b) => ({
      ...opencode('mode: subagent'),
      ...config(`{"permission":{"bash":{${lines(b, (i) => `"c${i}*x*y":"deny",`)}"x":"deny"}}}`),
    }),
    [['check'], ['show', 'a', '--effective'], ['explain', 'a', 'shell', 'git push']],
  ),
]

function ownFiles(): Shape['commands'] {
  return [['list'], ['check'], ...to('opencode'), ['build', '--check'], ['undo'], ['show', 'a']]
}

function answers(): Shape['commands'] {
  return [['convert', '--to', 'opencode', '--yes', '--out', 'out', '--answers', 'answers.yaml']]
}

function body(name: string, text: string): Shape[] {
  return whole(`body: ${name}`, (bytes) => claude('tools: Read', repeat(bytes, text)), FROM_CLAUDE)
}

/** Nested maps, as deep as the indentation allows. */
function nested(bytes: number): string {
  return lines(bytes, (i) => `${' '.repeat(i)}k:`)
}

/** Each line refers to the previous one nine times. */
function laughs(bytes: number): string {
  return `a0: &a0 [x]\n${lines(bytes, (i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(8)}*a${i}]`)}\nz: &z [1]`
}
