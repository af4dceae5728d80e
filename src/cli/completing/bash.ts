/** Completion for bash, also the old one of macOS; it needs nothing but bash itself. */
import { type CompletedOption, type Completion, type CompletionTable, withValue } from './table.ts'

export function bashCompletion(table: CompletionTable): string {
  const names = table.commands.map(({ name }) => name).join(' ')
  const common = flags(table.common)
  const others = withValue(table).filter((one) => one !== '-C' && one !== '--directory')
  return `# Completion of troupe for bash. Load it with: source <(troupe completion bash)
_troupe() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  local joined= command= place=0 directory=. index
  COMPREPLY=()
  # Bash takes "--option=value" apart.
  if [[ $word == = ]]; then word= joined==
  elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]} joined==
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case \${COMP_WORDS[index]} in
      -C|--directory) _troupe_skip; directory=\${COMP_WORDS[index]/#\\~/$HOME} ;;
      ${others.join('|')}) _troupe_skip ;;
      =) ((index++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=\${COMP_WORDS[index]}; else ((place++)); fi ;;
    esac
  done
  case "$command $before$joined" in
${optionCases(table)}
  esac
  if [[ $word == -* ]]; then
    case $command in
${table.commands.map(({ name, options }) => `      ${name}) _troupe_words "${flags(options)} ${common}" ;;`).join('\n')}
      *) _troupe_words "${common} --version" ;;
    esac
    return
  fi
  case "$command $place" in
    ' 0') _troupe_words '${names} help' ;;
    'help 0') _troupe_words '${names}' ;;
${wordCases(table)}
  esac
}
_troupe_skip() { [[ \${COMP_WORDS[index+1]} == = ]] && ((index++)); ((index++)); }
_troupe_offer() { local one; while IFS= read -r one; do COMPREPLY+=("$one"); done < <(compgen "$@"); }
_troupe_words() { _troupe_offer -W "$1" -- "$word"; }
_troupe_list() {
  local head=
  [[ $word == *,* ]] && head=\${word%,*},
  compopt -o nospace 2>/dev/null
  _troupe_offer -P "$head" -W "$1" -- "\${word##*,}"
}
_troupe_agents() { _troupe_words "$(troupe -C "$directory" completion agents 2>/dev/null)"; }
_troupe_paths() { compopt -o filenames 2>/dev/null; _troupe_offer "$1" -- "$word"; }
complete -F _troupe troupe
`
}

function flags(options: readonly CompletedOption[]): string {
  return options.map(({ name }) => `--${name}`).join(' ')
}

function optionCases(table: CompletionTable): string {
  const lines = ({ name, short, value, alone }: CompletedOption, command: string) => {
    if (value === null) return []
    const apart = alone ? [] : [`--${name}`, ...(short === null ? [] : [`-${short}`])]
    const patterns = [...apart, `--${name}=`].map((one) => (command === '*' ? `*' ${one}'` : `'${command} ${one}'`))
    return [`    ${patterns.join('|')}) ${action(value)}; return ;;`]
  }
  const own = table.commands.flatMap(({ name, options }) => options.flatMap((option) => lines(option, name)))
  return [...own, ...table.common.flatMap((option) => lines(option, '*'))].join('\n')
}

function wordCases({ commands }: CompletionTable): string {
  return commands
    .flatMap(({ name, words, repeats }) =>
      words.map((completion, place) => {
        const isOpen = repeats && place === words.length - 1
        return `    ${isOpen ? `'${name} '*` : `'${name} ${place}'`}) ${action(completion)} ;;`
      }),
    )
    .join('\n')
}

function action(completion: Completion): string {
  switch (completion.kind) {
    case 'words':
      return `_troupe_words '${completion.words.join(' ')}'`
    case 'list':
      return `_troupe_list '${completion.words.join(' ')}'`
    case 'agent':
      return '_troupe_agents'
    case 'nothing':
      return ':'
    default:
      return `_troupe_paths ${completion.kind === 'folder' ? '-d' : '-f'}`
  }
}
