/** Which room may see which: a room imports only what stands to its left (see ARCHITECTURE.md). */
export const order = ['model', 'formats', 'harness', 'check', 'convert', 'workbench', 'project', 'sync']
const upTo = (room) => order.slice(0, order.indexOf(room) + 1)
const sees = {
  ...Object.fromEntries(order.map((room, index) => [room, order.slice(0, index)])),
  harness: ['model', 'formats', 'generated'],
  disk: ['model'],
  project: [...upTo('workbench'), 'disk'],
  sync: [...upTo('project'), 'disk'],
  'hud/sections': ['model', 'formats', 'generated'],
  'hud/data': ['model', 'formats', 'disk', 'project', 'hud/sections'],
  'hud/install': [...upTo('sync'), 'disk', 'hud/sections', 'hud/data'],
  verify: [...upTo('sync'), 'disk'],
  'team/state': ['model', 'formats'],
  'team/engine': ['model', 'formats', 'disk', 'team/state'],
  'team/runtime': [...upTo('sync'), 'disk', 'verify', 'team/state', 'team/engine'],
  'team/members': [...upTo('sync'), 'disk', 'verify', 'team/state', 'team/engine', 'team/runtime'],
  'team/mcp': ['model', 'formats', 'disk', 'project', 'team/state', 'team/engine', 'team/runtime'],
  report: ['model', 'team/state'],
  cli: [...upTo('sync'), 'disk', 'hud', 'verify', 'team', 'report'],
}
/** Rooms that never touch the disk, processes or the network. */
export const pure = [
  'model',
  'formats',
  'harness',
  'check',
  'convert',
  'workbench',
  'report',
  'hud/sections',
  'team/state',
]

export default {
  forbidden: [
    ...Object.entries(sees).map(([room, others]) => ({
      name: `${room.replace('/', '-')}-looks-left`,
      severity: 'error',
      from: { path: `^src/${room}(/|\\.ts$)` },
      to: { path: '^src/', pathNot: `^src/(${[room, ...others].join('|')})(/|\\.ts$)` },
    })),
    {
      name: 'plugins-stay-small',
      severity: 'error',
      from: { path: '^plugins/' },
      to: { path: '^src/', pathNot: '^src/(model|formats|disk|hud/sections|hud/data)/' },
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
