/** Every prediction against reality: the six real harnesses, offline, isolated, against the stub model. */
import { afterAll, describe, expect, test } from 'vitest'
import { agentHashes, createIsolatedProject } from '../../src/verify/isolate.ts'
import { askLoader, readProgramVersion } from '../../src/verify/loader.ts'
import { type ObservedTurn, runAsChildren, runAsMain } from '../../src/verify/turns.ts'
import {
  labHarnesses,
  predict,
  predictTools,
  readExperiments,
  runnable,
  type Subject,
  serverFiles,
  subject,
  wantedVersion,
} from './lab.ts'
import { type Tally, tally, writeRecord } from './record.ts'

const FAILS = 'fails when used'

describe.each(labHarnesses())('%s', (id) => {
  const real = runnable(id)
  const { harness, oracle } = real
  const experiments = readExperiments(id)
  const body = (name: string) => `You are ${name}, and you do one thing well.`

  const { lists = [] } = experiments
  const shapes = [...experiments.shapes, ...lists].map((shape, index) => {
    const name = `shape-${String(index).padStart(2, '0')}`
    return { shape, ...subject(harness, name, shapeText(name, shape)) }
  })
  const traps = Object.entries(experiments.traps).map(([name, text]) =>
    subject(harness, name, text.replaceAll('{name}', name)),
  )

  let version: string | null = null
  const counts: Record<'loading' | 'child' | 'main', Tally> = {
    loading: { equal: 0, all: 0 },
    child: { equal: 0, all: 0 },
    main: { equal: 0, all: 0 },
  }
  afterAll(() =>
    writeRecord(id, { title: harness.title, version, ...counts, date: new Date().toISOString().slice(0, 10) }),
  )

  function shapeText(name: string, shape: string): string {
    if (harness.carriers[0]?.format === 'toml') {
      return `name = "${name}"\ndescription = "Does one thing"\ndeveloper_instructions = "${body(name)}"\n${shape}\n`
    }
    const lines = ['---', `name: ${name}`, 'description: Does one thing', ...(shape === '' ? [] : [shape]), '---']
    return [...lines, body(name), ''].join('\n')
  }

  function open(subjects: readonly Subject[]) {
    const files = Object.fromEntries(subjects.map(({ path, text }) => [path, text]))
    const place = createIsolatedProject({ ...files, ...serverFiles(experiments) })
    const agents = subjects.filter((one) => predict(one).loaded).map(({ agent, path }) => ({ name: agent.name, path }))
    return { place, hashes: agentHashes(place.project, agents) }
  }

  test('is the version that it should be', async () => {
    const { place } = open([])
    version = (await readProgramVersion(real, place)).version
    place.remove()
    expect(version).toBe(wantedVersion(id) ?? harness.checked.version)
  }, 60_000)

  if (oracle.load.alone) {
    test.each(traps)(
      'trap: $name',
      async (trap) => {
        const { place, hashes } = open([trap])
        const { names, refused, trouble } = await askLoader(real, place, hashes)
        place.remove()
        const { refused: expected, loaded } = predict(trap)
        const observed = { refused, loaded: names.includes(trap.agent.name), trouble }
        const predicted = { refused: expected, loaded, trouble: null }
        const { equal } = tally([observed], [predicted])
        counts.loading = { equal: counts.loading.equal + equal, all: counts.loading.all + 1 }
        expect(observed).toEqual(predicted)
      },
      90_000,
    )
  } else {
    test('loads what check says it loads, and leaves out what check says it leaves out', async () => {
      const everyone = [...shapes, ...traps]
      const { place, hashes } = open(everyone)
      const { names, trouble, problems } = await askLoader(real, place, hashes)
      place.remove()
      const observed = everyone.map(({ name, agent }) => [name, names.includes(agent.name)])
      const predicted = everyone.map((one) => [one.name, predict(one).loaded])
      counts.loading = tally(observed, predicted)
      expect(trouble).toBeNull()
      expect({ observed, problems }).toEqual({ observed: predicted, problems })
      expect(names).toHaveLength(observed.filter(([, loaded]) => loaded).length)
    }, 120_000)
  }

  /** Whole tool sets, and the agent's own words in the prompt. */
  function compare(turns: readonly ObservedTurn[], role: 'main' | 'child') {
    const observed = turns.map(({ name, request, trouble }, index) => ({
      name,
      shape: shapes[index]?.shape,
      tools: request === null ? FAILS : [...request.tools].sort(),
      prompt: request === null || request.system.some((text) => text.includes(body(name))),
      trouble: predict(shapes[index] as Subject).fails[role] ? null : trouble,
    }))
    const predicted = shapes.slice(0, turns.length).map((one) => ({
      name: one.name,
      shape: one.shape,
      tools: predict(one).fails[role] ? FAILS : predictTools(harness, one, role, experiments),
      prompt: true,
      trouble: null,
    }))
    counts[role] = tally(observed, predicted)
    expect(observed).toEqual(predicted)
  }

  // A harness may know an agent in one role only.
  const playable = (
    [
      ['child', runAsChildren],
      ['main', runAsMain],
    ] as const
  ).filter(([role]) => oracle[role] !== null)
  test.each(playable)(
    'offers it, as %s, the tools that its access says',
    async (role, play) => {
      const played = role === 'main' ? shapes.slice(0, experiments.shapes.length) : shapes
      const { place, hashes } = open(played)
      const names = played.map(({ name }) => name)
      const turns = await play(real, place, names, hashes)
      place.remove()
      compare(turns, role)
    },
    180_000,
  )
})
