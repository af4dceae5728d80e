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
const folder = 'src/harness/schema'
const sources = ['field', 'oracle', 'harness']
const flags =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.MultilineObjectLiterals
const written = new Set()
const lines = sources.flatMap((name) =>
  program
    .getSourceFile(`${folder}/${name}.ts`)
    .statements.filter((statement) => ts.isTypeAliasDeclaration(statement))
    .filter((alias) => !written.has(alias.name.text) && written.add(alias.name.text))
    .map(
      (alias) =>
        `export type ${alias.name.text} = ${checker.typeToString(checker.getTypeAtLocation(alias), undefined, flags)}`,
    ),
)
// One file says it all; the others lead to it.
for (const name of ['access', 'effective', 'embody', 'files', ...sources]) {
  const text = name === 'harness' ? lines.join('\n\n') : "export * from './harness.ts'"
  writeFileSync(`dist/types/harness/schema/${name}.d.ts`, `${text}\n`)
}
