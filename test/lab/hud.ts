/** A project with a HUD, and real harnesses that show it to a model. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startServerProcess } from '../../src/disk/run-program.ts'
import { createIsolatedProject, type IsolatedProject, isolatedEnvironment } from '../../src/verify/isolate.ts'
import { prepareRun, type Runnable } from '../../src/verify/run-recipe.ts'
import type { Cue } from '../../src/verify/stub/script.ts'
import { type Stub, startStub } from '../../src/verify/stub/server.ts'
import type { WireRequest } from '../../src/verify/stub/wire.ts'
import { postJson } from '../../src/verify/warm-server.ts'
import { runnable } from './lab.ts'

/** As users do it: the program that is built, with the home folder that the harness will see. */
export function troupe(place: IsolatedProject, ...words: string[]): string {
  const environment = isolatedEnvironment(place)
  const options = { cwd: place.project, env: environment, encoding: 'utf8' } as const
  return execFileSync(process.execPath, [resolve('dist/cli.cjs'), ...words], options)
}

/** OpenCode installs a package into every folder of configuration before it loads a plugin; this tells it that it has. */
const seed = '{"lockfileVersion":3,"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}'

export function openProject(files: Readonly<Record<string, string>>): IsolatedProject {
  const place = createIsolatedProject(files)
  for (const folder of [join(place.project, '.opencode'), join(place.home, '.config/opencode')]) {
    mkdirSync(join(folder, 'node_modules'), { recursive: true })
    writeFileSync(join(folder, 'package-lock.json'), seed)
  }
  const git = (...words: string[]) => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false']
    execFileSync('git', [...identity, ...words], { cwd: place.project, env: isolatedEnvironment(place), stdio: 'pipe' })
  }
  git('init', '--quiet', '-b', 'trunk')
  git('add', '.')
  git('commit', '--quiet', '-m', 'all')
  return place
}

/** Recipes run without plugins; this one is about them. */
export function withPlugins(id: string): Runnable {
  const real = runnable(id)
  const { OPENCODE_PURE: _pure, ...environment } = real.oracle.environment
  return { ...real, oracle: { ...real.oracle, environment } }
}

export interface Conversation {
  readonly session: string
  /** One turn; null when it was done, otherwise what went wrong. */
  readonly say: (agent: string, text: string) => Promise<string | null>
  readonly summarize: () => Promise<string | null>
}

export interface Theatre {
  readonly stub: Stub
  readonly converse: () => Promise<Conversation>
  readonly close: () => Promise<void>
}

/** OpenCode as a server that stays, with one model of a given window. */
export async function raiseOpenCode(place: IsolatedProject, cues: readonly Cue[]): Promise<Theatre> {
  const real = withPlugins('opencode')
  const { main } = real.oracle
  if (main?.server === undefined) throw new Error('OpenCode has no server')
  const stub = await startStub({ cues, mostAnswers: 2000 })
  const { program, args, environment } = prepareRun(real, place, main, stub, { hashes: '{}' })
  const run = { program, args, cwd: place.cwd, environment, limit: real.limit }
  const { address, trouble, close } = await startServerProcess(run, new RegExp(main.server.ready))
  if (address === null) throw new Error(trouble ?? 'OpenCode did not start')
  const post = async (path: string, body: Parameters<typeof postJson>[2]) =>
    postJson(address, `${path}?directory=${encodeURIComponent(place.project)}`, body, real.limit)
  const done = (answer: Awaited<ReturnType<typeof post>>) => ('trouble' in answer ? answer.trouble : null)
  return {
    stub,
    converse: async () => {
      const answer = await post('/session', {})
      if ('trouble' in answer) throw new Error(answer.trouble)
      const { id } = answer.data as { id: string }
      return {
        session: id,
        say: async (agent, text) =>
          done(await post(`/session/${id}/message`, { agent, parts: [{ type: 'text', text }] })),
        summarize: async () =>
          done(await post(`/session/${id}/summarize`, { providerID: 'stub', modelID: 'stub-model' })),
      }
    },
    close: async () => {
      close()
      await stub.close()
    },
  }
}

/** The HUD in a request: what stands in the frame, or null. */
export function hudIn({ system, said }: WireRequest): string | null {
  const text = [...system, ...said].join('\n')
  return /<hud>\n([\s\S]*?)\n<\/hud>/.exec(text)?.[1] ?? null
}

/** Requests of the turn that began with these words, titles excepted. */
export function turnsOf({ requests }: Stub, words: string): WireRequest[] {
  return requests.filter(({ said, tools }) => tools.length > 0 && said.some((text) => text.includes(words)))
}
