/**
 * The tiers of the test suite: which tests belong to each, what it is for, how long it takes and what it installs.
 * A test file that no other tier names belongs to `disk`, so none can fall out.
 */
const pure = ['model', 'formats', 'harness', 'check', 'convert', 'report', 'hud', 'team/state', 'properties', 'oracle']

export const tiers = {
  unit: {
    what: 'the pure rooms: no process is started, nothing is written',
    takes: 'under 30 seconds',
    files: pure.map((room) => `test/${room}/**/*.test.ts`),
  },
  disk: {
    what: 'the program on real files: commands, goldens, projects, schemas, documents',
    takes: 'about a minute',
    needsBuild: true,
    files: ['test/**/*.test.ts'],
  },
  processes: {
    what: 'programs that live longer: watching builds, members at work, harnesses that hang, crash and talk too much',
    takes: 'about a minute',
    needsBuild: true,
    files: [
      'test/team/members/drivers.test.ts',
      'test/sync/convert/{threads,up-to-date}.test.ts',
      'test/sync/watch.test.ts',
      'test/disk/run-program.test.ts',
      'test/verify/verify.test.ts',
      'test/cli/work/screen.test.ts',
      'test/team/runtime/{full-disk,ingest,observers,trouble}.test.ts',
      'test/team/runtime/runs/{progress,services}.test.ts',
    ],
  },
  faults: {
    what: 'kills, full disks, torn lines and clocks that jump, for builds, undo and the workplace',
    takes: 'about 5 minutes',
    needsBuild: true,
    files: ['test/faults/**/*.test.ts'],
  },
  package: {
    what: 'the package as users get it: packed, on newer Nodes, in real shells, in pre-commit and in CI',
    takes: 'about a minute, and some more to install zsh, fish, pre-commit and two Nodes once',
    needsBuild: true,
    files: ['test/package/**/*.test.ts'],
  },
  properties: {
    what: 'the property tests with new dice, and more often than every day',
    takes: 'about 5 minutes',
    environment: { RUNS: '3' },
    files: ['test/properties/**/*.test.ts', 'test/**/properties.test.ts'],
  },
  lab: {
    what: 'the real harnesses, offline, against everything that Troupe predicts of them',
    takes: 'about 15 minutes, and some more to install 3 GB of harnesses once',
    needsBuild: true,
    files: ['test/lab/**/*.test.ts'],
  },
}

/** What `npm test` runs. */
export const everyday = ['unit', 'disk']
