// The floor for a conversion: reads the same files and writes the same bytes elsewhere, with a rename where asked.
'use strict'
const { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const [, , out, renamed] = process.argv
mkdirSync(out, { recursive: true })
for (const name of readdirSync('.claude/agents').sort()) {
  const text = readFileSync(`.claude/agents/${name}`, 'utf8')
  if (renamed === undefined) writeFileSync(`${out}/${name}`, text)
  else {
    writeFileSync(`${out}/temporary`, text)
    renameSync(`${out}/temporary`, `${out}/${name}`)
  }
}
