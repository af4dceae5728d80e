/** Whatever the prompt: in every dialect it is the same Markdown but for words, and leads nowhere that is not reported. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEdits } from '../../src/formats/edit/edits.ts'
import { runs } from '../chance.ts'
import { convert, inverse } from '../convert/prompt/convert-text.ts'
import { countOf, newPaths, treeDifference } from '../oracle/markdown.ts'

const tool = fc.constantFrom(
  'Read',
  'Write',
  'Edit',
  'Bash',
  'Grep',
  'Glob',
  'WebFetch',
  'WebSearch',
  'Task',
  'TodoWrite',
)
const team = fc.constantFrom('SendMessage', 'TeamCreate', 'TaskCreate', 'TaskList', 'AskUserQuestion', 'ExitPlanMode')
const any = fc.oneof({ weight: 3, arbitrary: tool }, { weight: 1, arbitrary: team })
const marked = fc.tuple(any, fc.constantFrom('', '`', '**', '*', '"')).map(([word, mark]) => `${mark}${word}${mark}`)
const joint = fc.constantFrom(', ', ' and ', '/', ' or ', ', and ', ' + ')
const list = fc
  .tuple(fc.array(any, { minLength: 2, maxLength: 4 }), joint, fc.constantFrom('', '**', '`'))
  .map(([words, between, mark]) => `${mark}${words.join(between)}${mark}`)
const path = fc.constantFrom(
  'CLAUDE.md',
  '.claude/skills/a/SKILL.md',
  '.claude/commands/b.md',
  '${CLAUDE_PLUGIN_ROOT}/skills/a/x.md',
)
const sentence = fc.oneof(
  marked.map((word) => `Use ${word} to look.`),
  marked.map((word) => `Never call the ${word} tool twice; it costs.`),
  fc.tuple(marked, marked).map(([one, other]) => `Prefer ${one} over ${other}.`),
  fc.tuple(marked, marked).map(([one, other]) => `Use ${one} to begin, ${other} for the rest.`),
  list.map((words) => `Use ${words} for it.`),
  list.map((words) => `The ${words} tools are there.`),
  marked.map((word) => `In the ${word} output, *one ${word}* **counts** [here](x.md).`),
  any.map((word) => `**one single ${word}** is enough`),
  any.map((word) => `${word} the best three results.`),
  path.map((one) => `Read ${one} before you begin.`),
  path.map((one) => `Update \`${one}\` when you are done.`),
  fc.constant('It uses Opus for plans and Haiku for names.'),
)
const block = fc.oneof(
  { weight: 4, arbitrary: fc.array(sentence, { minLength: 1, maxLength: 3 }).map((all) => all.join(' ')) },
  sentence.map((one) => `- ${one}`),
  sentence.map((one) => `> ${one}`),
  fc.tuple(any, sentence).map(([word, one]) => `- **${word}**: ${one}`),
  fc.tuple(any, any).map(([one, other]) => `| ${one} | look |\n|---|---|\n| \`${other}\` | find |`),
  any.map((word) => `## ${word}`),
  any.map((word) => `\`\`\`\n${word}(path)\n${word}: a/b.md\n\`\`\``),
  any.map((word) => `\`\`\`bash\necho "\${pfx}-${word}"\n\`\`\``),
)
const prompt = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => `${blocks.join('\n\n')}\n`)
const target = fc.constantFrom('opencode', 'codex', 'copilot', 'gemini-cli', 'qwen-code')
const answer = fc.constantFrom('todo', 'workaround' as const)

describe('a prompt in another dialect', () => {
  test('is the same Markdown but for words', () => {
    fc.assert(
      fc.property(prompt, target, answer, (text, to, on) => {
        const result = convert(to, text, { on: on as 'todo' })
        expect(treeDifference(text, result.text)).toBeNull()
        expect(applyEdits(result.text, inverse(text, result))).toBe(text)
      }),
      runs(1000),
    )
  })

  test('names no path that is nowhere, unless that is a gap', () => {
    fc.assert(
      fc.property(prompt, target, answer, (text, to, on) => {
        const result = convert(to, text, { on: on as 'todo', there: [] })
        for (const made of newPaths(text, result.text))
          expect(result.gaps.map(({ reason }) => reason).join('\n')).toContain(made)
      }),
      runs(600),
    )
  })

  test('names no tool that the agent lost, unless that is said', () => {
    fc.assert(
      fc.property(prompt, target, answer, (text, to, on) => {
        const result = convert(to, text, { on: on as 'todo', isOffered: (one) => one !== 'fetch' && one !== 'search' })
        for (const word of ['webfetch', 'websearch', 'web_search', 'web_fetch', 'google_web_search'])
          if (countOf(result.text, word) > 0)
            expect(result.patterns.filter(({ outcome }) => outcome === 'todo').map(({ to }) => to)).toContain(word)
      }),
      runs(600),
    )
  })
})
