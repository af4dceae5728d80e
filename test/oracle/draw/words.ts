/** The names, patterns and servers that drawn definitions speak of: plain ones, dead ones, and those that are easily taken for others. */
const words = (text: string): readonly string[] => text.trim().split(/\s+/)
const lines = (text: string): readonly string[] => text.trim().split(/\s*\n\s*/)

export const commands = [
  ...['', ' *', 'echo "a b"'],
  ...lines(`
    git *
    git:*
    git status
    git push*
    git push *
    npm run:*
    rm *
    rm -rf /
    *
    * --force *
    git status && git push
    * | sh
    curl * | sh
    ls
    ~/bin/x *
    $HOME/bin/x *
    GIT *
    42
    git ?
  `),
]
export const paths = [
  ...['', 'a b/**'],
  ...words('src/** src/* ./src/** /src/** //etc/** //etc/passwd src/*.ts ../** *.env **/.env .env* * **'),
  ...words('docs/readme.md readme.md [ab].ts !src/** ~/.ssh/** $HOME/x/** *secret* 7 /etc/*'),
]
export const agents = [...words('helper other * help* h?lper Helper 1'), 'a, b', '']
export const domains = ['domain:example.com', 'domain:*.example.com', 'domain:*', '*']

/** Some begin like others, and some have the sign in them that sets a server apart from its tool. */
export const servers = words('docs github github_enterprise a a_b git-hub my__d')
export const serverTools = [...words('find get b_get get_issue * f*'), '']

export const claudeNames = [
  ...words('Read Write Edit NotebookEdit Bash Glob Grep WebFetch WebSearch Agent Task Skill'),
  ...words('Read Bash Write TodoWrite SendMessage Monitor Workflow AskUserQuestion ExitPlanMode'),
]
/** Names that mean something to people and nothing to most programs. */
export const deadNames = [
  ...words('bash BASH shell web read edit MultiEdit LS SlashCommand NotebookRead TodoRead Frobnicate'),
  ...words("read_file run_shell_command execute Shell `Bash` 'Read' constructor __proto__ Read* -Write"),
]
export const openCodeKeys = words('* read edit glob grep list bash task webfetch websearch skill')
export const rarerKeys = words(
  'todowrite question external_directory write patch Bash b* e* sk* lsp doom_loop plan_exit *_* *_get g*',
)
/** OpenCode takes an action for these, and no map of patterns. */
export const plainKeys = words('webfetch websearch todowrite question doom_loop')
export const copilotNames = [
  ...words('read edit search execute agent web todo Read WRITE grep Glob bash shell readFile editFiles runCommands'),
  ...words('fetch web/fetch githubRepo usages runTasks search/codebase custom-agent skill vscode/runCommand'),
]
export const geminiNames = [
  ...words('read_file read_many_files write_file replace run_shell_command glob grep_search search_file_content'),
  ...words('list_directory web_fetch google_web_search invoke_agent activate_skill write_todos mcp_* * ask_user'),
]
export const qwenNames = [
  ...words('read_file ReadFile write_file edit notebook_edit run_shell_command Shell monitor glob grep_search'),
  ...words('list_directory web_fetch web_search agent Task workflow skill Read Bash Write todo_write exec'),
]

/** What sets names apart, and what only seems to. */
export const separators = [', ', ', ', ', ', ',', ' ', '  ', '\t', ' \t', ' , ', '; ', '\n', ',\n']
/** What makes a text no list of names, or none at all. */
export const odds = ['*', '', ' ', ')', '(', 'Bash(', '**']
