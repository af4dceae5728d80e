/** Completion for zsh. */
import type { CompletedCommand, CompletedOption, Completion, CompletionTable } from './table.ts'

export function zshCompletion(table: CompletionTable): string {
  const names = table.commands.map(({ name, about }) => `    ${quote(`${name}:${about.replaceAll(':', '\\:')}`)}`)
  const common = table.common.map((option) => `    ${spec(option)}`)
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
${table.commands.map(commandCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _troupe ]]; then _troupe "$@"; else compdef _troupe troupe; fi
`
}

function commandCase({ name, options, words, repeats }: CompletedCommand): string {
  const places = words.map((completion, place) => {
    const isOpen = repeats && place === words.length - 1
    return quote(`${isOpen ? '*' : place + 1}:${titleOf(completion)}:${action(completion)}`)
  })
  return `    ${name}) _arguments $common ${[...options.map(spec), ...places].join(' ')} ;;`
}

/** What `_arguments` wants to know of an option, as a word of the shell. */
function spec({ name, short, about, value, alone }: CompletedOption): string {
  const told = `[${about.replaceAll(/[[\]:]/g, '\\$&')}]`
  const what = value === null ? '' : `${alone ? ':' : ''}:${titleOf(value)}:${action(value)}`
  if (short === null) return quote(`--${name}${value === null ? '' : alone ? '=-' : '='}${told}${what}`)
  const [letter, long] = value === null ? [`-${short}`, `--${name}`] : [`-${short}+`, `--${name}=`]
  return `'(-${short} --${name})'{${letter},${long}}${quote(told + what)}`
}

function titleOf({ kind }: Completion): string {
  return kind === 'words' || kind === 'list' ? 'word' : kind
}

function action(completion: Completion): string {
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

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
