#!/usr/bin/env node
// The bin: answers --version by itself, because loading anything costs more than the answer; else runs the program.
'use strict'
const words = process.argv.slice(2)
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${require('../package.json').version}\n`)
} else {
  const { program } = require('./start.cjs')
  program()
    .main(words)
    .then((code) => {
      process.exitCode = code
    })
}
