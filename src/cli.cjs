#!/usr/bin/env node
// The bin: answers --version by itself, because loading anything costs more than the answer; else runs the program.
'use strict'
const words = process.argv.slice(2)
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${require('../package.json').version}\n`)
} else {
  keepCompiledCode()
  require('./program/main.cjs')
    .main(words)
    .then((code) => {
      process.exitCode = code
    })
}

/** From Node 22 on, in the user's cache folder. `NODE_DISABLE_COMPILE_CACHE=1` switches it off, as in any Node program. */
function keepCompiledCode() {
  const { enableCompileCache } = require('node:module')
  if (enableCompileCache === undefined || process.env.NODE_COMPILE_CACHE) return
  const { homedir } = require('node:os')
  const { isAbsolute, join } = require('node:path')
  const { XDG_CACHE_HOME: said = '' } = process.env
  enableCompileCache(join(isAbsolute(said) ? said : join(homedir(), '.cache'), 'troupe', 'compiled'))
}
