/** Completion for bash; it needs nothing but bash itself. */
import type { Completes } from '../command.ts'
import { type CompletedOption, type CompletionTable, fixedWords } from './table.ts'

export function bashCompletion(table: CompletionTable): string {
  const names = table.commands.map(({ name }) => name).join(' ')
  const common = flags(table.common)
  return `# Completion of troupe for bash. Load it with: source <(troupe completion bash)
_troupe() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= place=0 index
  COMPREPLY=()
  # Bash takes "--option=value" apart.
  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case \${COMP_WORDS[index]} in
      -C|--directory) ((index++)) ;;
      -*|=) ;;
      *) if [[ -z $command ]]; then command=\${COMP_WORDS[index]}; else ((place++)); fi ;;
    esac
  done
  case "$command $before" in
${optionCases(table)}
  esac
  if [[ $word == -* ]]; then
    case $command in
${table.commands.map(({ name, options }) => `      ${name}) _troupe_among "${flags(options)} ${common}" ;;`).join('\n')}
      *) _troupe_among "${common} --version" ;;
    esac
    return
  fi
  case "$command $place" in
    ' 0') _troupe_among '${names} help' ;;
    'help 0') _troupe_among '${names}' ;;
${wordCases(table)}
  esac
}
_troupe_among() { COMPREPLY=($(compgen -W "$1" -- "$word")); }
_troupe_list() {
  local rest=\${word##*,} head=
  [[ $word == *,* ]] && head=\${word%,*},
  COMPREPLY=($(compgen -P "$head" -W "$1" -- "$rest"))
}
_troupe_agents() { _troupe_among "$(troupe completion agents 2>/dev/null)"; }
_troupe_paths() { compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen "$1" -- "$word")); }
complete -F _troupe troupe
`
}

function flags(options: readonly CompletedOption[]): string {
  return options.map(({ name }) => `--${name}`).join(' ')
}

function optionCases(table: CompletionTable): string {
  const lines = ({ name, short, value }: CompletedOption, command: string) => {
    if (value === null) return []
    const spellings = [`--${name}`, ...(short === null ? [] : [`-${short}`])]
    const patterns = spellings.map((one) => `${command} ${one}`.replace(/^\* /, '*\\ '))
    const quoted = patterns.map((one) => (one.startsWith('*') ? one : `'${one}'`)).join('|')
    return [`    ${quoted}) ${action(value, table)}; return ;;`]
  }
  const own = table.commands.flatMap(({ name, options }) => options.flatMap((option) => lines(option, name)))
  return [...own, ...table.common.flatMap((option) => lines(option, '*'))].join('\n')
}

function wordCases(table: CompletionTable): string {
  return table.commands
    .flatMap(({ name, words, repeats }) =>
      words.map((kind, place) => {
        const isOpen = repeats && place === words.length - 1
        return `    ${isOpen ? `'${name} '*` : `'${name} ${place}'`}) ${action(kind, table)} ;;`
      }),
    )
    .join('\n')
}

function action(kind: Completes, table: CompletionTable): string {
  const words = fixedWords(kind, table)
  if (words !== null) return `${kind === 'harnesses' ? '_troupe_list' : '_troupe_among'} '${words.join(' ')}'`
  return kind === 'agent' ? '_troupe_agents' : `_troupe_paths ${kind === 'folder' ? '-d' : '-f'}`
}
