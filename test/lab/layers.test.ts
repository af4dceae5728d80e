/** The whole of every agent, merged by Troupe and merged by the real harness: each value, and each rule in its order. */
import { afterAll, describe, expect, test } from 'vitest'
import { runProgram, type ServerProcess } from '../../src/disk/run-program.ts'
import { hashText } from '../../src/formats/text.ts'
import type { EffectiveAgent, EffectiveField } from '../../src/model/effective.ts'
import { effectiveAgents } from '../../src/project/effective/effective.ts'
import { createIsolatedProject } from '../../src/verify/isolate.ts'
import { registry } from '../reading.ts'
import { labHarnesses, runnable } from './lab.ts'
import { type Laid, type Layers, lay, layeredHarnesses, listAgents, readLayers, serve, sharesHome } from './layers.ts'

describe.each(layeredHarnesses().filter((id) => labHarnesses().includes(id)))('%s in layers', (id) => {
  const real = runnable(id)
  const place = createIsolatedProject({})
  let shared: Promise<ServerProcess> | null = null
  afterAll(async () => {
    ;(await shared)?.close()
    place.remove()
  })

  const predict = ({ here, home, environment }: Laid) =>
    effectiveAgents({ registry, harness: real.harness, here, home, environment })

  async function ask(layers: Layers, laid: Laid): Promise<unknown[] | null> {
    if (!sharesHome(layers)) {
      const own = await serve(real, laid)
      const agents = await listAgents(own, laid.here)
      own.close()
      return agents
    }
    shared ??= serve(real, laid)
    return listAgents(await shared, laid.here)
  }

  test.concurrent.each(readLayers(id).map((layers, number) => ({ ...layers, number })))(
    '$title',
    async ({ number, ...layers }) => {
      const laid = lay(place, number, layers, real)
      const predicted = predict(laid)
      const observed = await ask(layers, laid)
      expect(observed === null, 'refuses to start').toBe(predicted.refused.length > 0)
      if (observed === null) return
      const agents = predicted.agents.map(asListed).sort(byName)
      const withMarks = observed.map((one) => markOwn(one as Listed, predicted.agents)).sort(byName)
      expect(withMarks).toEqual(agents)
    },
    90_000,
  )

  // A repair that is made once: in the second project of the same server the same text has no keys.
  test('forgets its repair of front matter', async () => {
    const text = '---\ndescription: Use it: always\nmode: subagent\npermission:\n  bash: deny\n---\nYou read.\n'
    const path = real.harness.carriers[0]?.project?.write?.replace('{name}', 'mended') ?? ''
    const projects = [2000, 2001].map((number) =>
      lay(place, number, { title: '', files: { [`project/${path}`]: text } }, real),
    )
    const server = await serve(real, projects[0] as Laid)
    const modes: unknown[] = []
    for (const { here } of projects) {
      const agents = (await listAgents(server, here)) as Listed[]
      modes.push(agents.find(({ name }) => name === 'mended')?.mode)
    }
    server.close()
    expect(modes).toEqual(['subagent', 'all'])
  })

  test('lists an agent as it shows it by name', async () => {
    const layers = readLayers(id).find(({ title }) => title === 'one agent in every layer') as Layers
    const { here, environment, ...laid } = lay(place, 1000, layers, real)
    const args = ['debug', 'agent', 'x']
    const { stdout } = await runProgram({ program: real.program, args, cwd: here, environment, limit: 60_000 })
    const { tools: _tools, ...shown } = JSON.parse(stdout) as Listed & { tools: unknown }
    const [x] = predict({ here, environment, ...laid }).agents.filter(({ name }) => name === 'x')
    expect(withoutNothing(shown)).toEqual(asListed(x as EffectiveAgent))
  })
})

type Listed = Readonly<Record<string, unknown>> & { readonly name: string }

const byName = (a: Listed, b: Listed) => (a.name < b.name ? -1 : 1)

/** An agent of ours in the shape in which OpenCode lists its own. */
function asListed(agent: EffectiveAgent): Listed {
  const value = (field: EffectiveField | undefined) => (field?.own === undefined ? field?.value : field.own)
  const { displayName, description, mode, hidden, topP, temperature, color, model, variant, options, maxTurns } =
    agent.fields
  const [providerID, ...rest] = String(model?.value ?? '').split('/')
  return withoutNothing({
    name: String(value(displayName) ?? agent.name),
    description: value(description),
    mode: value(mode),
    native: agent.builtIn,
    hidden: value(hidden),
    topP: value(topP),
    temperature: value(temperature),
    color: value(color),
    model: model === undefined ? undefined : { providerID, modelID: rest.join('/') },
    variant: value(variant),
    prompt: agent.prompt.key === null ? undefined : value(agent.prompt),
    options: value(options) ?? {},
    steps: value(maxTurns),
    permission: agent.rules?.map(({ permission, pattern, action }) => ({ permission, pattern, action })),
  })
}

/** Its own texts by their fingerprints, because those are what we know of them. */
function markOwn(listed: Listed, agents: readonly EffectiveAgent[]): Listed {
  const agent = agents.find(({ name }) => name === listed.name)
  const marks = {
    ...(agent?.fields.description?.own === undefined ? {} : { description: hashText(String(listed.description)) }),
    ...(agent?.prompt.own === undefined ? {} : { prompt: hashText(String(listed.prompt)) }),
  }
  return withoutNothing({ ...listed, ...marks })
}

function withoutNothing(listed: Listed): Listed {
  const kept = Object.entries(listed).filter(([, value]) => value !== null && value !== undefined)
  return { name: listed.name, ...Object.fromEntries(kept) }
}
