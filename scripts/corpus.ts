/** `npm run corpus -- FOLDER [--convert] [--load] [--labels FILE...]`: holds Troupe to its promises on real agent files. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Every agent to each of the harnesses. */
    convert: { type: 'boolean' },
    /** Keep the figures in docs/fidelity.md. */
    record: { type: 'boolean' },
    /** What was converted, loaded by the real programs. */
    load: { type: 'boolean' },
    only: { type: 'string' },
    /** Labelled places in prompts: which words are tools. */
    labels: { type: 'string', multiple: true },
    corpus: { type: 'string' },
  },
})
const folder = resolve(values.corpus ?? positionals[0] ?? '../shared/corpus/files')
if (values.labels !== undefined) {
  const { measureLabels } = await import('./corpus/labels.ts')
  measureLabels([...values.labels, ...positionals], resolve(values.corpus ?? '../shared/corpus/files'))
} else if (values.load === true)
  await (await import('./corpus/load.ts')).loadCorpus(folder, values.only?.split(',') ?? [])
else if (values.convert === true) (await import('./corpus/convert.ts')).convertCorpus(folder, values.record === true)
else (await import('./corpus/read.ts')).readCorpus(folder)
