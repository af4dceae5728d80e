// Loads the program with the compiled code that was kept when it was built: compiling it costs more than most commands.
'use strict'
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
const { createRequire, wrap } = require('node:module')
const { dirname, join } = require('node:path')
const { setFlagsFromString } = require('node:v8')
const { Script } = require('node:vm')

const path = join(__dirname, 'main.cjs')
const cache = join(__dirname, 'main.cache')
let script

// No command computes for more than seconds: the dearer steps of optimising code, like collecting with more threads, cost
// more than they save (measured on ten thousand conversions).
// Before anything is loaded: kept code is accepted only under the flags it was compiled with.
const flags = [
  '--no-turbo-inlining',
  '--no-turbo-inline-array-builtins',
  '--no-turbo-escape',
  '--no-turbo-loop-peeling',
  '--no-turbo-loop-variable',
  '--no-parallel-scavenge',
]
for (const flag of flags) setFlagsFromString(flag)

/** Another version of Node does not accept the code that was kept, and compiles the program as usual. */
exports.program = () => {
  const cachedData = existsSync(cache) ? readFileSync(cache) : undefined
  // It is built as plain ASCII.
  script = new Script(wrap(readFileSync(path, 'latin1')), { filename: path, cachedData })
  const module = { exports: {} }
  script.runInThisContext()(module.exports, createRequire(path), module, path, dirname(path))
  return module.exports
}

/** For the build: keeps what was compiled by now, functions that a first run has used included. */
exports.keep = () => writeFileSync(cache, script.createCachedData())
