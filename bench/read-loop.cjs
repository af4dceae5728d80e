// The floor for anything that looks at every agent: reads the same files and does nothing with them.
'use strict'
const { readdirSync, readFileSync } = require('node:fs')
let bytes = 0
for (const name of readdirSync('.claude/agents').sort()) bytes += readFileSync(`.claude/agents/${name}`, 'utf8').length
console.log(bytes)
