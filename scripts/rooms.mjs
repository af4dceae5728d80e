/** Holds the directions between rooms: runs dependency-cruiser, and makes sure that it saw anything at all. */
import { cruise } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import config from '../.dependency-cruiser.mjs'

const { output } = await cruise(
  ['src', 'plugins'],
  { ...config.options, ruleSet: { forbidden: config.forbidden }, validate: true },
  null,
  {
    tsConfig: extractTSConfig('tsconfig.json'),
  },
)
const { totalCruised, violations } = output.summary
for (const { rule, from, to } of violations) console.error(`${rule.name}: ${from} -> ${to}`)
if (totalCruised < 20) {
  console.error(`dependency-cruiser saw only ${totalCruised} modules; it is not checking anything`)
  process.exit(1)
}
console.log(`${totalCruised} modules, ${violations.length} violations`)
process.exit(violations.length === 0 ? 0 : 1)
