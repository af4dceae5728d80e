/** Completion for fish. */
import { type CompletedOption, type Completion, type CompletionTable, withValue } from './table.ts'

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
        else if contains -- $word ${withValue(table).join(' ')}
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
function __troupe_agents
    set -l directory .
    set -l words (commandline -opc)
    for index in (seq (count $words))
        switch $words[$index]
            case -C --directory
                set directory $words[(math $index + 1)]
            case '--directory=*'
                set directory (string replace -- --directory= '' $words[$index])
        end
    end
    troupe -C (string replace -r '^~' $HOME -- $directory) completion agents 2>/dev/null
end
function __troupe_list
    set -l head (string replace -rf '^(--[^=]*=)?(.*,)[^,]*$' '$2' -- (commandline -ct))
    printf "$head%s\\n" $argv
end
complete -c troupe -e
complete -c troupe -f
${table.commands.map(({ name, about }) => `complete -c troupe -n __troupe_before_command -a ${name} -d ${quote(about)}`).join('\n')}
complete -c troupe -n __troupe_before_command -l version -d 'show the version'
complete -c troupe -n __troupe_before_command -a help -d 'help about a command'
complete -c troupe -n '__troupe_at help 1' -a '${names}'
${table.common.map((option) => optionLine(option, '')).join('\n')}
${table.commands
  .flatMap(({ name, options, words, repeats }) => [
    ...options.map((option) => optionLine(option, ` -n '__troupe_in ${name}'`)),
    ...words.map((completion, place) => {
      const isOpen = repeats && place === words.length - 1
      const where = isOpen ? `__troupe_in ${name}` : `__troupe_at ${name} ${place + 1}`
      return `complete -c troupe -n '${where}'${action(completion)}`
    }),
  ])
  .join('\n')}
`
}

function optionLine({ name, short, about, value, alone }: CompletedOption, where: string): string {
  const letter = short === null ? '' : ` -s ${short}`
  const what = value === null ? '' : `${alone ? '' : ' -r'}${action(value)}`
  return `complete -c troupe${where} -l ${name}${letter} -d ${quote(about)}${what}`
}

function action(completion: Completion): string {
  switch (completion.kind) {
    case 'words':
      return ` -f -a '${completion.words.join(' ')}'`
    case 'list':
      return ` -f -a '(__troupe_list ${completion.words.join(' ')})'`
    case 'agent':
      return " -f -a '(__troupe_agents)'"
    case 'folder':
      return " -f -a '(__fish_complete_directories)'"
    default:
      return completion.kind === 'path' ? ' -F' : ' -f'
  }
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
