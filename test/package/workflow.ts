/** Runs a composite action as GitHub does: its steps one after the other, each in the shell that GitHub would start. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

export interface StepOutcome {
  readonly name: string
  readonly outcome: 'success' | 'failure' | 'skipped'
  readonly output: string
}

interface Step {
  readonly id?: string
  readonly name: string
  readonly if?: string
  readonly shell: string
  readonly env?: Readonly<Record<string, string>>
  readonly run: string
}

export function runAction(workspace: string, given: Readonly<Record<string, string>>): StepOutcome[] {
  const { inputs, runs } = parse(readFileSync('action.yml', 'utf8'))
  const defaults = Object.entries<{ default: string }>(inputs).map(([name, one]) => [name, String(one.default)])
  const values = { ...Object.fromEntries(defaults), ...given }
  const steps: Record<string, { readonly outcome: StepOutcome['outcome'] }> = {}
  const outcomes: StepOutcome[] = []
  for (const step of runs.steps as Step[]) {
    const isFailed = outcomes.some(({ outcome }) => outcome === 'failure')
    const evaluate = (expression: string) =>
      // The few operators that are used mean the same in JavaScript.
      new Function('inputs', 'steps', 'cancelled', `return ${expression}`)(values, steps, () => false)
    const filled = (text: string) =>
      text.replace(/\$\{\{(.*?)\}\}/g, (_all, expression) => String(evaluate(expression)))
    const condition = step.if ?? ''
    // Without a word about the state of the job a step runs only while nothing has failed.
    const mayRun = !isFailed || condition.includes('cancelled()')
    const isWanted = mayRun && (condition === '' || filled(condition) === 'true')
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text)]))
    const outcome = isWanted ? perform(step, env, workspace) : { outcome: 'skipped' as const, output: '' }
    if (step.id !== undefined) steps[step.id] = outcome
    outcomes.push({ name: step.name, ...outcome })
  }
  return outcomes
}

function perform({ shell, run }: Step, own: Readonly<Record<string, string>>, workspace: string) {
  if (shell !== 'bash') throw new Error(`How does GitHub start ${shell}?`)
  const folder = mkdtempSync(join(tmpdir(), 'troupe-step-'))
  try {
    const script = join(folder, 'step.sh')
    writeFileSync(script, run)
    const env = {
      ...process.env,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: workspace,
      GITHUB_ACTION_PATH: resolve('.'),
      ...own,
    }
    const words = ['--noprofile', '--norc', '-e', '-o', 'pipefail', script]
    const { status, stdout, stderr } = spawnSync('bash', words, { cwd: workspace, env, encoding: 'utf8' })
    return { outcome: status === 0 ? ('success' as const) : ('failure' as const), output: stdout + stderr }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
