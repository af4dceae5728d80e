/** Completion for fish. */
import type { Completes } from '../command.ts'
import { type CompletedOption, type CompletionTable, fixedWords } from './table.ts'

export function fishCompletion(table: CompletionTable): string {
  const names = table.commands.map(({ name }) => name).join(' ')
  return `# Completion of troupe for fish. Load it with: troupe completion fish | source
function __troupe_words
    set -l words (commandline -opc)
    set -e words[1]
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
        else if contains -- $word -C --directory
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end
function __troupe_before_command
    test (count (__troupe_words)) = 0
end
function __troupe_in
    set -l words (__troupe_words)
    test (count $words) -gt 0; and test $words[1] = $argv[1]
end
function __troupe_at
    __troupe_in $argv[1]; and test (count (__troupe_words)) = $argv[2]
end
complete -c troupe -e
complete -c troupe -f
${table.commands.map(({ name, about }) => `complete -c troupe -n __troupe_before_command -a ${name} -d ${quote(about)}`).join('\n')}
complete -c troupe -n __troupe_before_command -l version -d 'show the version'
complete -c troupe -n __troupe_before_command -a help -d 'help about a command'
complete -c troupe -n '__troupe_at help 1' -a '${names}'
${table.common.map((option) => optionLine(option, '', table)).join('\n')}
${table.commands
  .flatMap(({ name, options, words, repeats }) => [
    ...options.map((option) => optionLine(option, ` -n '__troupe_in ${name}'`, table)),
    ...words.map((kind, place) => {
      const isOpen = repeats && place === words.length - 1
      const where = isOpen ? `__troupe_in ${name}` : `__troupe_at ${name} ${place + 1}`
      return `complete -c troupe -n '${where}'${values(kind, table)}`
    }),
  ])
  .join('\n')}
`
}

function optionLine(
  { name, short, about, value, alone }: CompletedOption,
  where: string,
  table: CompletionTable,
): string {
  const letter = short === null ? '' : ` -s ${short}`
  const what = value === null ? '' : `${alone ? '' : ' -r'}${values(value, table)}`
  return `complete -c troupe${where} -l ${name}${letter} -d ${quote(about)}${what}`
}

function values(kind: Completes, table: CompletionTable): string {
  const words = fixedWords(kind, table)
  if (kind === 'harnesses') return ` -a '(__fish_complete_list , "printf %s\\\\n ${words?.join(' ')}")'`
  if (words !== null) return words.length === 0 ? '' : ` -a '${words.join(' ')}'`
  if (kind === 'agent') return " -a '(troupe completion agents 2>/dev/null)'"
  return kind === 'folder' ? " -a '(__fish_complete_directories)'" : ' -F'
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
