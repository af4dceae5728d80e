/** The library's types. The harness schema's are written out in full, so that users need not install what it is made with. */
import { writeFileSync } from 'node:fs'
import ts from 'typescript'

const configFile = ts.readConfigFile('tsconfig.types.json', ts.sys.readFile)
const { options, fileNames } = ts.parseJsonConfigFileContent(configFile.config, ts.sys, '.')
const program = ts.createProgram(fileNames, options)
const { diagnostics } = program.emit()
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics]
if (problems.length > 0) {
  console.error(
    ts.formatDiagnostics(problems, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => '.',
      getNewLine: () => '\n',
    }),
  )
  process.exit(1)
}

const checker = program.getTypeChecker()
const sources = ['src/harness/recipe-schema.ts', 'src/harness/schema.ts']
const flags =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.MultilineObjectLiterals
for (const path of sources) {
  const aliases = program
    .getSourceFile(path)
    .statements.filter((statement) => ts.isTypeAliasDeclaration(statement))
    .map((alias) => {
      const type = checker.typeToString(checker.getTypeAtLocation(alias), undefined, flags)
      return `export type ${alias.name.text} = ${type}`
    })
  // What one file writes out may name a type of the other.
  const others = sources
    .filter((one) => one !== path)
    .map((one) => `import type { Json } from './${one.slice(12, -3)}.ts'`)
  const head = path.endsWith('/schema.ts') ? `${others.join('\n')}\n\n` : ''
  writeFileSync(path.replace('src/', 'dist/types/').replace('.ts', '.d.ts'), `${head}${aliases.join('\n\n')}\n`)
}
