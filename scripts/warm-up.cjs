/** Uses the freshly built program as people do, and keeps what was compiled on the way beside it. */
'use strict'
const { mkdtempSync, rmSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const { keep, program } = require('../dist/start.cjs')

const { main } = program()
const out = mkdtempSync(join(tmpdir(), 'troupe-warm-up-'))

// What these two use, most commands use; with more of it, all of them would load more than they need.
main(['-C', 'examples', 'check', '--quiet'])
  .then(() => main(['-C', 'examples', 'convert', '--to', 'opencode', '--out', out, '--yes', '--quiet']))
  .then(keep)
  .finally(() => rmSync(out, { recursive: true }))
