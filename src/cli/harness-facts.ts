/** The facts of a harness file that people ask for, each with its evidence. */

import { evidenceFor, loginWords } from '../harness/facts.ts'
import type { Harness } from '../harness/schema/harness.ts'
import type { HarnessFact, HarnessFacts } from '../report/harnesses.ts'

function whereIn({ read, write }: { read: readonly string[]; write?: string | undefined }): string {
  return read.length > 0 ? read.join('  ') : `${write ?? '-'} (written, not read)`
}

type MakeFact = (path: string, label: string, text: string) => HarnessFact
function places(harness: Harness, fact: MakeFact): HarnessFact[] {
  return harness.carriers.flatMap((carrier) =>
    (['project', 'user', 'managed'] as const).flatMap((scope) => {
      const place = carrier[scope]
      const when = carrier.plugin === true ? ` (next to ${harness.plugins?.manifests.join(' or ')})` : ''
      return place === undefined
        ? []
        : [fact(`carriers.${carrier.id}`, `${carrier.title}, ${scope}`, whereIn(place) + when)]
    }),
  )
}

/** What a person needs before an agent can run in it. */
function account({ oracle, login }: Harness, fact: MakeFact): HarnessFact[] {
  const install = oracle?.program.install
  return [
    ...(install === undefined ? [] : [fact('oracle.program.install', 'install', install)]),
    ...(login === undefined
      ? []
      : [
          fact('login.command', 'log in', loginWords(login)),
          fact('login.files', 'login stored in', login.files.join('  ') || '-'),
          fact('login.environment', 'or API key in', login.environment.join('  ')),
          ...login.perhaps.map(({ why, platform }) =>
            fact('login.perhaps', 'possibly elsewhere', platform === undefined ? why : `${why} (${platform})`),
          ),
        ]),
  ]
}

function mistakes(harness: Harness, fact: MakeFact): HarnessFact[] {
  return [
    fact('frontMatter.unparsable', 'unparsable file', harness.frontMatter.unparsable),
    fact('frontMatter.absent', 'no front matter', harness.frontMatter.absent),
    fact('unknownKeys', 'unknown key', harness.unknownKeys),
    fact('invalidValue', 'invalid value', harness.invalidValue),
    fact('access.unknownTool', 'unknown tool', harness.access.unknownTool),
    fact('models.unknown', 'unknown model', harness.models.unknown),
  ]
}

function fields(harness: Harness, fact: MakeFact): HarnessFact[] {
  return Object.entries(harness.fields).map(([concept, spec]) => {
    if (spec === null) return fact(`fields.${concept}`, concept, '-')
    const where = spec.key ?? spec.config?.path ?? spec.embedded ?? '-'
    const remark = spec.inert ?? spec.partial ?? spec.note
    return fact(`fields.${concept}`, concept, remark === undefined ? where : `${where} (${remark})`)
  })
}

export function harnessFacts(harness: Harness): HarnessFacts {
  const fact = (path: string, label: string, text: string): HarnessFact => ({
    label,
    text,
    evidence: evidenceFor(harness, path),
  })
  const { access } = harness
  return {
    id: harness.id,
    title: harness.title,
    isFormat: harness.sourceFormat,
    version: harness.checked.version,
    date: harness.checked.date,
    where: harness.carriers[0]?.project?.read.join(' ') || (harness.carriers[0]?.project?.write ?? '-'),
    restricts: access.layers.map(({ key }) => key).join(', ') || '-',
    prompt: harness.prompt.child ?? harness.prompt.main ?? '-',
    sections: [
      { title: 'Where it keeps agents', facts: places(harness, fact) },
      { title: 'How it handles mistakes', facts: mistakes(harness, fact) },
      { title: 'Fields', facts: fields(harness, fact) },
      {
        title: 'Access',
        facts: access.layers.map(({ key, codec, enforced, note }) => {
          const held = enforced === undefined ? '' : `; main: ${enforced.main}, child: ${enforced.child}`
          return fact(`access.layers`, key, `${codec}${held}${note === undefined ? '' : `; ${note}`}`)
        }),
      },
      {
        title: 'Agent types',
        facts: (harness.agentTypes ?? []).map(({ name, for: profile, tools, note }) =>
          fact(
            'agentTypes',
            name,
            `${profile}: ${tools?.join(', ') ?? 'all tools'}${note === undefined ? '' : `; ${note}`}`,
          ),
        ),
      },
      {
        title: 'Tools',
        facts: Object.entries(harness.units).map(([name, { grants, only }]) =>
          fact(`units.${name}`, name, `${grants.join(', ')}${only === undefined ? '' : ` (${only} only)`}`),
        ),
      },
      {
        title: 'Models',
        facts: Object.entries(harness.models.tiers).map(([tier, id]) => fact('models.tiers', tier, id)),
      },
      { title: 'Install and log in', facts: account(harness, fact) },
    ],
    notes: harness.notes,
  }
}
