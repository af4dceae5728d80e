/** Completion for zsh. */
import type { Completes } from '../command.ts'
import { type CompletedOption, type CompletionTable, fixedWords } from './table.ts'

export function zshCompletion(table: CompletionTable): string {
  const names = table.commands.map(({ name, about }) => `    ${quote(`${name}:${about.replaceAll(':', '\\:')}`)}`)
  const common = table.common.map((option) => `    ${spec(option, table)}`)
  return `#compdef troupe
# Completion of troupe for zsh. Load it with: source <(troupe completion zsh)
_troupe_agents() {
  local -a names
  names=(\${(f)"$(troupe completion agents 2>/dev/null)"})
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
  local curcontext=$curcontext state line
  local -a common
  common=(
${common.join('\n')}
  )
  _arguments -C $common '--version[show the version]' '1:command:_troupe_commands' '*::argument:->argument'
  [[ $state == argument ]] || return
  case $words[1] in
    help) _arguments '1:command:_troupe_commands' ;;
${table.commands.map((command) => commandCase(command, table)).join('\n')}
  esac
}
if [[ $funcstack[1] == _troupe ]]; then _troupe "$@"; else compdef _troupe troupe; fi
`
}

function commandCase(
  { name, options, words, repeats }: CompletionTable['commands'][number],
  table: CompletionTable,
): string {
  const specs = options.map((option) => spec(option, table))
  const places = words.map((kind, place) => {
    const isOpen = repeats && place === words.length - 1
    return quote(`${isOpen ? '*' : place + 1}:${titleOf(kind)}:${action(kind, table)}`)
  })
  return `    ${name}) _arguments $common ${[...specs, ...places].join(' ')} ;;`
}

/** What `_arguments` wants to know of an option, as a word of the shell. */
function spec({ name, short, about, value, alone }: CompletedOption, table: CompletionTable): string {
  const told = `[${about.replaceAll(/[[\]:]/g, '\\$&')}]`
  const what = value === null ? '' : `${alone ? ':' : ''}:${titleOf(value)}:${action(value, table)}`
  if (short === null) return quote(`--${name}${value === null ? '' : alone ? '=-' : '='}${told}${what}`)
  const [letter, long] = value === null ? [`-${short}`, `--${name}`] : [`-${short}+`, `--${name}=`]
  return `'(-${short} --${name})'{${letter},${long}}${quote(told + what)}`
}

function titleOf(kind: Completes): string {
  return typeof kind === 'object' ? 'word' : kind
}

function action(kind: Completes, table: CompletionTable): string {
  const words = fixedWords(kind, table)
  if (kind === 'harnesses') return `_values -s , harness ${words?.join(' ')}`
  if (words !== null) return words.length === 0 ? ' ' : `(${words.join(' ')})`
  if (kind === 'agent') return '_troupe_agents'
  return kind === 'folder' ? '_files -/' : '_files'
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
