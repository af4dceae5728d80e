/** What is known about words before any context: which are English, which are names of programs, which nobody says by chance. */

export type WordKind =
  /** `WebFetch`, `read_file`: nobody writes it without meaning the tool. */
  | 'coined'
  /** `Grep`, `Bash`: no English, but also a program or a language. */
  | 'program'
  /** `Read`, `Edit`: also an order to somebody who reads. */
  | 'verb'
  /** `Task`, `Agent`: also a thing that prompts speak of all the time. */
  | 'noun'

const PROGRAMS = new Set('bash glob grep ls rg sql exec shell powershell vscode'.split(' '))
const VERBS = new Set(
  'read write edit create execute list view search fetch replace rename patch process question'.split(' '),
)
const NOUNS = new Set(
  `agent browser changes codebase extensions goal lsp monitor new problems skill slashcommand symbols task todo todos usages web workflow`.split(
    ' ',
  ),
)

export function kindOf(word: string): WordKind {
  const lower = word.toLowerCase()
  if (PROGRAMS.has(lower)) return 'program'
  if (VERBS.has(lower)) return 'verb'
  if (NOUNS.has(lower) || word.includes('-')) return 'noun'
  return 'coined'
}

/** Words that may follow a name without making it the first part of a longer one: "Read to ...", not "Read replicas". */
const FUNCTION_WORDS = `to for with when if only on in and or instead rather over first once unless until before after as at
  is are was were can cannot could will would should must may might does do has have from by per because since so but not
  whenever while against across inside within alone directly via without then than that which plus where again here always
  never ONLY NOT AND OR tool tools call calls`
const follows = FUNCTION_WORDS.split(/\s+/).join('|')

/** What stands after a name that stands for itself. */
export const STANDS_ALONE = new RegExp(
  `^(?:$|[.,;:!?)\\]|/…\\u3000-\\u9fff\\uff00-\\uffef]|\\s[\\u3040-\\u9fff]|\\s*(?:[—–|→&+()]|->|=>|--?\\s|$)|\\s+(?:${follows})\\b|\\s+[a-z]+ly\\b)`,
)

/** After "use Task": what keeps it from being "use Task Manager" or "use Agent personas". */
export const NOUN_STANDS_ALONE = /^(?:$|[.)]|\s*(?:[—–]|$)|\s+(?:to|for|with|calls?|subagents?)\b)/

/** Nouns that make an English phrase of the words before them. */
export const ENGLISH_HEAD =
  /^\s+(?:access|permissions?|privileges?|rights?|scopes?|operations?|ops|performance|throughput|latency|paths?|locks?|models?|replicas?|phases?|modes?|buttons?|amplification|scaling|traffic|workloads?|patterns?|quorum|requests?|side|splits?|ratios?|heavy|trait|interface|type|object|class|method|role|tab|menu|link|column|section|heading|field|status|flag|bit|step|icon|label|option|state|verb|entity|entities|table|struct|record|component|instance|schema|enum|constructor|resource|collection|node|service|protocol)\b/

/** Before a quoted name: it is a value, a button, a type. */
export const ENGLISH_OWNER =
  /\b(?:returns?|returning|implements?|implementing|impl|trait|class|interface|async|click|clicks|clicking|press|tap|taps|select|choose|status|column|labell?ed|scope|permission|type|enum|button|titled|heading|section|field)\s+$/i

const LANGUAGES =
  'Python|PowerShell|Zsh|zsh|Fish|POSIX|Node|Node\\.js|JavaScript|TypeScript|Go|Ruby|Perl|Rust|SQL|Java|PHP|Lua|Make|Makefiles?|Ansible|Terraform|YAML|Docker|C|awk|AWK|sed|Git|Linux|Unix'
/** Bash among languages. */
export const AFTER_LANGUAGE = new RegExp(`\\b(?:${LANGUAGES})(?:,|/|\\s+(?:and|or|&)|,\\s+(?:and|or))\\s*$`)
export const BEFORE_LANGUAGE = new RegExp(`^(?:,|/|\\s+(?:and|or|&)|,\\s+(?:and|or))\\s*(?:${LANGUAGES})\\b`)
/** A language that heads a line of the same list. */
export const LANGUAGE_HEAD = new RegExp(`(?:\\*\\*|\\n[ \\t]*[-*|+][ \\t]+)(?:${LANGUAGES})(?:\\*\\*|:| \\|)`)
/** Something is made with it: the language. */
export const SCRIPTING =
  /\b(?:writ(?:e|es|ing|ten)|develop(?:s|ing|ed)?|creat(?:e|es|ing|ed)|build(?:s|ing)?|built|author(?:s|ing)?)\b[^.;:]{0,50}\b(?:using|with|in)\s+$|\b(?:scripting|programming|automation)\b[^.;:]{0,25}$/i

/** Signs that a text is about something else of the same name; then only the clearest forms count. */
export const otherMeanings: Readonly<Record<string, RegExp>> = {
  bash: /\bBash\s+(?:v?\d|features?\b|arrays?\b|built-?ins?\b|conditionals?\b|scripting\b|idioms?\b|developers?\b)|[Bb]ashism|POSIX (?:sh\b|shell|compliance)/,
  task: /\bTask(?:\.[A-Z]\w+|<|\s*\{|\[\])|<Task\b|\b(?:async|class|interface|type|struct|enum) Task\b|\bValueTask\b|shared_task|\b[Cc]elery\b|TaskGroup/,
  agent:
    /\b(?:class|interface|type|struct) Agent\b|\bAgent\s*(?:<|\(\s*(?:name|model|role|instructions|llm|tools)\s*=)|\bimport\b[^\n]{0,60}\bAgent\b|CrewAI|AutoGen|[Pp]ydantic/,
  skill: /\b(?:class|interface|type|struct) Skill\b|\bSkill(?:<|\[\])/,
  sendmessage: /\bUnity\b|GameObject|BroadcastMessage|\bSQS\b|SendMessage(?:Async|W|A)\b/,
  read: /\bio::|\bimpl\s+Read\b|\bio\.Reader\b/,
  write: /\bio::|\bimpl\s+Write\b|\bio\.Writer\b/,
}
