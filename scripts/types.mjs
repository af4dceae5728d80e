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
const source = program.getSourceFile('src/harness/schema.ts')
const flags =
  ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias | ts.TypeFormatFlags.MultilineObjectLiterals
const aliases = source.statements
  .filter((statement) => ts.isTypeAliasDeclaration(statement))
  .map(
    (alias) =>
      `export type ${alias.name.text} = ${checker.typeToString(checker.getTypeAtLocation(alias), undefined, flags)}`,
  )
writeFileSync('dist/types/harness/schema.d.ts', `${aliases.join('\n\n')}\n`)
