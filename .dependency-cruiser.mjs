/** Which room may see which: a room imports only what stands to its left (see ARCHITECTURE.md). */
const sees = {
  model: [],
  text: ['model'],
  fidelity: ['model'],
  workplace: ['model', 'text'],
  report: ['model', 'fidelity', 'workplace'],
  harness: ['model', 'text', 'fidelity', 'generated'],
  check: ['model', 'text', 'fidelity', 'harness'],
  convert: ['model', 'text', 'fidelity', 'harness', 'check'],
  project: ['model', 'text', 'fidelity', 'harness', 'check', 'convert'],
  hud: ['model', 'text', 'generated'],
  'hud-data': ['model', 'text', 'hud', 'project'],
  proof: ['model', 'text', 'fidelity', 'harness', 'check', 'convert', 'project'],
  runtime: ['workplace', 'model', 'text', 'fidelity', 'harness', 'check', 'convert', 'project'],
  mcp: ['runtime', 'workplace', 'model', 'text'],
  acting: ['proof', 'runtime', 'workplace', 'model', 'text', 'fidelity', 'harness', 'check', 'convert', 'project'],
  cli: [
    'mcp',
    'acting',
    'proof',
    'workplace',
    'runtime',
    'hud',
    'hud-data',
    'model',
    'text',
    'fidelity',
    'report',
    'harness',
    'check',
    'convert',
    'project',
  ],
}
/** Rooms that never touch the disk, processes or the network. */
const pure = ['model', 'text', 'fidelity', 'workplace', 'report', 'harness', 'check', 'convert', 'hud']

export default {
  forbidden: [
    ...Object.entries(sees).map(([room, others]) => ({
      name: `${room}-looks-left`,
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: '^src/', pathNot: `^src/(${[room, ...others].join('|')})/` },
    })),
    {
      name: 'plugins-stay-small',
      severity: 'error',
      from: { path: '^plugins/' },
      to: { path: '^src/', pathNot: '^src/(model|text|hud|hud-data)/|^src/project/roots' },
    },
    {
      name: 'pure-rooms-stay-pure',
      severity: 'error',
      from: { path: `^src/(${pure.join('|')})/` },
      to: { dependencyTypes: ['core'] },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: { doNotFollow: { path: 'node_modules' }, tsPreCompilationDeps: true },
}
