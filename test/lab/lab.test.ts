/** Every prediction against reality: the six real harnesses, offline, isolated, against the stub model. */
import { describe, expect, test } from 'vitest'
import { hashesOf, openPlace } from '../../src/proof/isolate.ts'
import { askLoader, beChildren, readVersion } from '../../src/proof/recipe.ts'
import { predict, predictTools, readExperiments, runnable, type Subject, subject } from './lab.ts'

const ids = (process.env.LAB ?? 'claude-code,opencode').split(',')

const FAILS = 'fails when used'

describe.each(ids)('%s', (id) => {
  const real = runnable(id)
  const { harness, oracle } = real
  const experiments = readExperiments(id)
  const body = (name: string) => `You are ${name}, and you do one thing well.`

  const shapes = experiments.shapes.map((shape, index) => {
    const name = `shape-${String(index).padStart(2, '0')}`
    return { shape, ...subject(harness, name, shapeText(name, shape)) }
  })
  const traps = Object.entries(experiments.traps).map(([name, text]) =>
    subject(harness, name, text.replaceAll('{name}', name)),
  )

  function shapeText(name: string, shape: string): string {
    if (harness.carriers[0]?.format === 'toml') {
      return `name = "${name}"\ndescription = "Does one thing"\ndeveloper_instructions = "${body(name)}"\n${shape}\n`
    }
    return [
      '---',
      `name: ${name}`,
      'description: Does one thing',
      ...(shape === '' ? [] : [shape]),
      '---',
      body(name),
      '',
    ].join('\n')
  }

  function open(subjects: readonly Subject[]) {
    const place = openPlace(Object.fromEntries(subjects.map(({ path, text }) => [path, text])))
    const agents = subjects.filter((one) => predict(one).loaded).map(({ agent, path }) => ({ name: agent.name, path }))
    return { place, hashes: hashesOf(place.project, agents) }
  }

  test('is the version that the harness file was checked with', async () => {
    const { place } = open([])
    expect(await readVersion(real, place)).toBe(harness.checked.version)
    place.remove()
  }, 60_000)

  if (oracle.load.alone) {
    test.each(traps)(
      'trap: $name',
      async (trap) => {
        const { place, hashes } = open([trap])
        const { names, refused, trouble } = await askLoader(real, place, hashes)
        place.remove()
        const predicted = predict(trap)
        expect({ refused, loaded: names.includes(trap.agent.name), trouble }).toEqual({
          refused: predicted.refused,
          loaded: predicted.loaded,
          trouble: null,
        })
      },
      90_000,
    )
  } else {
    test('loads what check says it loads, and leaves out what check says it leaves out', async () => {
      const { place, hashes } = open([...shapes, ...traps])
      const { names, trouble, problems } = await askLoader(real, place, hashes)
      place.remove()
      expect(trouble).toBeNull()
      const predicted = [...shapes, ...traps].filter((one) => predict(one).loaded).map(({ agent }) => agent.name)
      expect({ names, problems: names.length === predicted.length ? [] : problems }).toEqual({
        names: predicted.sort(),
        problems: [],
      })
    }, 120_000)
  }

  test('offers a child the tools that its access says', async () => {
    const { place, hashes } = open(shapes)
    const turns = await beChildren(
      real,
      place,
      shapes.map(({ name }) => name),
      hashes,
    )
    place.remove()
    const observed = turns.map(({ name, request, trouble }, index) => ({
      name,
      shape: shapes[index]?.shape,
      tools: request === null ? FAILS : [...request.tools].sort(),
      prompt: request === null || request.system.some((text) => text.includes(body(name))),
      trouble: predict(shapes[index] as Subject).fails ? null : trouble,
    }))
    const predicted = shapes.map((one) => ({
      name: one.name,
      shape: one.shape,
      tools: predict(one).fails ? FAILS : predictTools(harness, one, 'child'),
      prompt: true,
      trouble: null,
    }))
    expect(observed).toEqual(predicted)
  }, 180_000)
})
