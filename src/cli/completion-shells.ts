/** Completion scripts for bash (also the old one of macOS), zsh and fish. */
import {
  type CompletedCommand,
  type CompletedOption,
  type Completion,
  type CompletionTable,
  withValue,
} from './completion-table.ts'

export function bashCompletion(table: CompletionTable): string {
  const names = table.commands.map(({ name }) => name).join(' ')
  const common = bashFlags(table.common)
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
${table.commands.map(({ name, options }) => `      ${name}) _troupe_words "${bashFlags(options)} ${common}" ;;`).join('\n')}
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

function bashFlags(options: readonly CompletedOption[]): string {
  return options.map(({ name }) => `--${name}`).join(' ')
}

function optionCases(table: CompletionTable): string {
  const lines = ({ name, short, value, alone }: CompletedOption, command: string) => {
    if (value === null) return []
    const apart = alone ? [] : [`--${name}`, ...(short === null ? [] : [`-${short}`])]
    const patterns = [...apart, `--${name}=`].map((one) => (command === '*' ? `*' ${one}'` : `'${command} ${one}'`))
    return [`    ${patterns.join('|')}) ${bashAction(value)}; return ;;`]
  }
  const own = table.commands.flatMap(({ name, options }) => options.flatMap((option) => lines(option, name)))
  return [...own, ...table.common.flatMap((option) => lines(option, '*'))].join('\n')
}

function wordCases({ commands }: CompletionTable): string {
  return commands
    .flatMap(({ name, words, repeats }) =>
      words.map((completion, place) => {
        const isOpen = repeats && place === words.length - 1
        return `    ${isOpen ? `'${name} '*` : `'${name} ${place}'`}) ${bashAction(completion)} ;;`
      }),
    )
    .join('\n')
}

function bashAction(completion: Completion): string {
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

export function zshCompletion(table: CompletionTable): string {
  const names = table.commands.map(({ name, about }) => `    ${zshQuote(`${name}:${about.replaceAll(':', '\\:')}`)}`)
  const common = table.common.map((option) => `    ${zshOption(option)}`)
  return `#compdef troupe
# Completion of troupe for zsh. Load it with: source <(troupe completion zsh)
_troupe_agents() {
  local folder=\${opt_args[-C]:-\${opt_args[--directory]:-$directory}}
  local -a names
  names=(\${(f)"$(troupe -C "\${(Q)folder/#\\~/$HOME}" completion agents 2>/dev/null)"})
  compadd -a names
}
_troupe_commands() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  _describe command commands
}
_troupe() {
  local curcontext=$curcontext state line directory=.
  local -a common
  local -A opt_args
  common=(
${common.join('\n')}
  )
  _arguments -C $common '--version[show the version]' '1:command:_troupe_commands' '*::argument:->argument'
  [[ $state == argument ]] || return
  directory=\${opt_args[-C]:-\${opt_args[--directory]:-.}}
  case $words[1] in
    help) _arguments '1:command:_troupe_commands' ;;
${table.commands.map(zshCommand).join('\n')}
  esac
}
if [[ $funcstack[1] == _troupe ]]; then _troupe "$@"; else compdef _troupe troupe; fi
`
}

function zshCommand({ name, options, words, repeats }: CompletedCommand): string {
  const places = words.map((completion, place) => {
    const isOpen = repeats && place === words.length - 1
    return zshQuote(`${isOpen ? '*' : place + 1}:${zshTitle(completion)}:${zshAction(completion)}`)
  })
  return `    ${name}) _arguments $common ${[...options.map(zshOption), ...places].join(' ')} ;;`
}

/** What `_arguments` needs to know of an option, as a shell word. */
function zshOption({ name, short, about, value, alone }: CompletedOption): string {
  const described = `[${about.replaceAll(/[[\]:]/g, '\\$&')}]`
  const what = value === null ? '' : `${alone ? ':' : ''}:${zshTitle(value)}:${zshAction(value)}`
  if (short === null) return zshQuote(`--${name}${value === null ? '' : alone ? '=-' : '='}${described}${what}`)
  const [letter, long] = value === null ? [`-${short}`, `--${name}`] : [`-${short}+`, `--${name}=`]
  return `'(-${short} --${name})'{${letter},${long}}${zshQuote(described + what)}`
}

function zshTitle({ kind }: Completion): string {
  return kind === 'words' || kind === 'list' ? 'word' : kind
}

function zshAction(completion: Completion): string {
  switch (completion.kind) {
    case 'words':
      return `(${completion.words.join(' ')})`
    case 'list':
      return `_values -s , word ${completion.words.join(' ')}`
    case 'agent':
      return '_troupe_agents'
    case 'nothing':
      return ' '
    default:
      return completion.kind === 'folder' ? '_files -/' : '_files'
  }
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

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
${table.commands.map(({ name, about }) => `complete -c troupe -n __troupe_before_command -a ${name} -d ${fishQuote(about)}`).join('\n')}
complete -c troupe -n __troupe_before_command -l version -d 'show the version'
complete -c troupe -n __troupe_before_command -a help -d 'help about a command'
complete -c troupe -n '__troupe_at help 1' -a '${names}'
${table.common.map((option) => fishOption(option, '')).join('\n')}
${table.commands
  .flatMap(({ name, options, words, repeats }) => [
    ...options.map((option) => fishOption(option, ` -n '__troupe_in ${name}'`)),
    ...words.map((completion, place) => {
      const isOpen = repeats && place === words.length - 1
      const where = isOpen ? `__troupe_in ${name}` : `__troupe_at ${name} ${place + 1}`
      return `complete -c troupe -n '${where}'${fishAction(completion)}`
    }),
  ])
  .join('\n')}
`
}

function fishOption({ name, short, about, value, alone }: CompletedOption, where: string): string {
  const letter = short === null ? '' : ` -s ${short}`
  const what = value === null ? '' : `${alone ? '' : ' -r'}${fishAction(value)}`
  return `complete -c troupe${where} -l ${name}${letter} -d ${fishQuote(about)}${what}`
}

function fishAction(completion: Completion): string {
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

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
