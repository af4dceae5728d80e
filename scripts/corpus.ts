/** `npm run corpus -- FOLDER [--convert] [--load [--every N]] [--words [--every N]] [--prs] [--agree] [--skills] [--labels FILE...]`: checks Troupe's promises on real agent files. */
import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Every agent to every harness. */
    convert: { type: 'boolean' },
    /** Record the figures in docs/fidelity.md. */
    record: { type: 'boolean' },
    /** Load the converted agents in the real programs. */
    load: { type: 'boolean' },
    only: { type: 'string' },
    /** With --load: one repository in so many; with --words: one agent. */
    every: { type: 'string' },
    /** The prompts of every agent in every dialect, judged as texts; with --every, one agent in so many. */
    words: { type: 'boolean' },
    /** Every Markdown agent into PromptScript files, and back. */
    prs: { type: 'boolean' },
    /** In every repository of the folder: do all commands find the same agents? Needs a build. */
    agree: { type: 'boolean' },
    /** Every skill of the repositories to five harnesses. */
    skills: { type: 'boolean' },
    /** Labelled places in prompts: which words are tools. */
    labels: { type: 'string', multiple: true },
    corpus: { type: 'string' },
  },
})
const folder = resolve(values.corpus ?? positionals[0] ?? '../shared/corpus/files')
if (values.labels !== undefined) {
  const { measureLabels } = await import('./corpus/labels.ts')
  measureLabels([...values.labels, ...positionals], resolve(values.corpus ?? '../shared/corpus/files'))
} else if (values.load === true && !isAlone()) aloneOnTheMachine()
else if (values.load === true) {
  await (await import('./corpus/load.ts')).loadCorpus(folder, values.only?.split(',') ?? [], Number(values.every ?? 1))
} else if (values.convert === true) (await import('./corpus/convert.ts')).convertCorpus(folder, values.record === true)
else if (values.words === true) (await import('./corpus/words.ts')).judgeWords(folder, Number(values.every ?? 1))
else if (values.agree === true) (await import('./corpus/agree.ts')).agreeOnCorpus(folder)
else if (values.skills === true) await (await import('./corpus/skills.ts')).convertSkillCorpus(folder)
else if (values.prs === true) (await import('./corpus/prs.ts')).importCorpus(folder)
else (await import('./corpus/read.ts')).readCorpus(folder)

/** Whether there is no network but the loopback, or no route to one. */
function isAlone(): boolean {
  return process.env.TROUPE_ALONE === '1' || spawnSync('unshare', ['-rn', 'ip', 'link', 'set', 'lo', 'up']).status !== 0
}

function aloneOnTheMachine(): void {
  const words = [process.execPath, 'scripts/run.mjs', 'scripts/corpus.ts', ...process.argv.slice(2)]
  const { status } = spawnSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', ...words], {
    stdio: 'inherit',
    env: { ...process.env, TROUPE_ALONE: '1' },
  })
  process.exitCode = status ?? 1
}
