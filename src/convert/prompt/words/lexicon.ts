/** The tool words of a harness as they occur in prompts, and the English that distinguishes tools from verbs. */
import type { Harness } from '../../../harness/schema/harness.ts'
import { mcpTool } from '../../../harness/units.ts'

export interface ToolWord {
  readonly word: string
  /** The neutral tools it means, the main one first. */
  readonly tools: readonly string[]
  readonly kind: WordKind
  /** Written in lower case, as English is: only the clearest forms count. */
  readonly small: boolean
  /** In lower case, for lookups of its meaning. */
  readonly key: string
}

export interface Lexicon {
  readonly find: (written: string) => ToolWord | null
  /** The words that are searched for together with others. */
  readonly words: ReadonlyMap<string, ToolWord>
  /** Whether the match is a whole word, or the first part of "Bash-only". */
  readonly isWord: (text: string, start: number, word: ToolWord) => boolean
  /** Names in a text that no word list could hold, by position. */
  readonly otherNames: (text: string) => [number, ToolWord][]
}

const lexicons = new WeakMap<Harness, Lexicon>()

export function lexiconOf(harness: Harness): Lexicon {
  let lexicon = lexicons.get(harness)
  if (lexicon === undefined) {
    lexicon = createLexicon(harness)
    lexicons.set(harness, lexicon)
  }
  return lexicon
}

function createLexicon(harness: Harness): Lexicon {
  const words = new Map<string, ToolWord>()
  for (const [word, unit] of Object.entries(harness.units)) {
    // Wildcards and name prefixes are for tool lists.
    if (word.includes('*') || unit.prefix === true || unit.grants.includes('*')) continue
    const canonical = typeof unit.alias === 'string' ? unit.alias : word
    const tools = unit.means === undefined ? foremost(harness, canonical, unit.grants) : [unit.means]
    words.set(word, entry(word, tools))
  }
  const find = (written: string) => words.get(written) ?? mcpEntry(harness, written)
  const mcp = mcpPattern(harness)
  return {
    find,
    words,
    isWord: (text, start, { word, kind, small }) => {
      const end = start + word.length
      IN_FRONT.lastIndex = start
      BEHIND.lastIndex = end
      if (!IN_FRONT.test(text)) return false
      if (BEHIND.test(text)) return true
      HYPHENATED.lastIndex = end
      return !small && (kind === 'coined' || kind === 'program') && HYPHENATED.test(text)
    },
    otherNames: (text) => {
      if (mcp === null || !mayHold(text, mcp.mark)) return []
      return [...text.matchAll(mcp.pattern)].flatMap((match) => {
        const word = find(match[0])
        return word === null ? [] : [[match.index, word]]
      })
    },
  }
}

/** Two underscores are rare in prose, and found much faster than the letters before them. */
function mayHold(text: string, mark: string): boolean {
  return text.includes(mark.slice(-2)) && text.includes(mark)
}

/** Not within identifiers, hyphenated words, mentions or file names. */
const NOT_AFTER = '(?<![\\w$@.\\\\\\u2010\\u2011-])'
const NOT_BEFORE = "(?![\\w\\u2010\\u2011]|-\\w|\\.\\w|::|<\\w|['’](?!s\\b)\\w)"
/** What a tool does, or an agent with it; "Bash-like" and "Bash-specific" are said of the language. */
export const HYPHENATED =
  /[-\u2010\u2011](?:run|only|driven|invoked|called|verified|fetched|discovered|call|calls|output|tool|tools|free|first)\b(?!\s+(?:features?|syntax|scripts?|constructs?|extensions?|idioms?)\b)/y
const IN_FRONT = new RegExp(NOT_AFTER, 'y')
const BEHIND = new RegExp(NOT_BEFORE, 'y')

function entry(word: string, tools: readonly string[]): ToolWord {
  const key = word.toLowerCase()
  return { word, tools, kind: kindOf(word), small: word === key, key }
}

/** Of a switch for several tools, the one that the harness calls by this word comes first. */
function foremost(harness: Harness, word: string, grants: readonly string[]): readonly string[] {
  const named = grants.filter((tool) => harness.words[tool] === word)
  const first = named.includes('edit') ? 'edit' : named[0]
  return first === undefined ? grants : [first, ...grants.filter((tool) => tool !== first)]
}

/** MCP tools can be distinguished from other words only where the harness marks them. */
function mcpPattern(harness: Harness): { readonly mark: string; readonly pattern: RegExp } | null {
  const [, mark = '', between = ''] = /^(.*)\{server\}(.*)\{tool\}$/.exec(harness.mcp?.tool ?? '') ?? []
  if (!/^\w+$/.test(mark) || harness.mcp?.flat === true) return null
  const names = `${mark}[A-Za-z0-9][\\w-]*?${between}(?:\\*(?!\\*)|[A-Za-z0-9][\\w-]*)`
  return { mark, pattern: new RegExp(`${NOT_AFTER}(?:${names})${NOT_BEFORE}`, 'g') }
}

function mcpEntry(harness: Harness, written: string): ToolWord | null {
  const tool = mcpTool(harness, written)
  return tool === null ? null : { word: written, tools: [tool], kind: 'coined', small: false, key: written }
}

/** What is known about words without context: which are English, which are names of programs, which are coined. */
type WordKind =
  /** `WebFetch`, `read_file`: never written without meaning the tool. */
  | 'coined'
  /** `Grep`, `Bash`: not English, but also a program or a language. */
  | 'program'
  /** `Read`, `Edit`: also an instruction to the reader. */
  | 'verb'
  /** `Task`, `Agent`: also a thing that prompts often mention. */
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

function kindOf(word: string): WordKind {
  const lower = word.toLowerCase()
  if (PROGRAMS.has(lower)) return 'program'
  if (VERBS.has(lower)) return 'verb'
  if (NOUNS.has(lower) || word.includes('-')) return 'noun'
  return 'coined'
}

/** Words that may follow a name without making it the first part of a longer one: "Read to ...", not "Read replicas". */
const FUNCTION_WORDS = `to for with when if only on in and or instead rather over first once unless until before after as at
  is are was were can cannot could will would should must may might does do has have from by per because since so but not
  whenever while against across inside within alone directly via without then than that which plus where again twice here always
  never ONLY NOT AND OR tool tools call calls`
const follows = FUNCTION_WORDS.split(/\s+/).join('|')

/** What follows a name that is complete. */
export const STANDS_ALONE = new RegExp(
  `^(?:$|[.,;:!?)\\]|/…\\u3000-\\u9fff\\uff00-\\uffef]|\\s[\\u3040-\\u9fff]|\\s*(?:[—–|→&+()]|->|=>|--?\\s|$)|\\s+(?:${follows})\\b|\\s+[a-z]+ly\\b)`,
)

/** After "use Task": shows that it is not "use Task Manager" or "use Agent personas". */
export const NOUN_STANDS_ALONE = /^(?:$|[.)]|\s*(?:[—–]|$)|\s+(?:to|for|with|calls?|subagents?)\b)/

/** Nouns that form an English phrase with the words before them. */
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
/** A language that leads a line of the same list. */
export const LANGUAGE_HEAD = new RegExp(`(?:\\*\\*|\\n[ \\t]*[-*|+][ \\t]+)(?:${LANGUAGES})(?:\\*\\*|:| \\|)`)
/** Something is written in it: the language. */
export const SCRIPTING =
  /\b(?:writ(?:e|es|ing|ten)|develop(?:s|ing|ed)?|creat(?:e|es|ing|ed)|build(?:s|ing)?|built|author(?:s|ing)?)\b[^.;:]{0,50}\b(?:using|with|in)\s+$|\b(?:scripting|programming|automation)\b[^.;:]{0,25}$/i

/** Signs that a text discusses something else of the same name; then only the clearest forms count. */
const otherMeanings: Readonly<Record<string, RegExp>> = {
  bash: /\bBash\s+(?:v?\d|features?\b|arrays?\b|built-?ins?\b|conditionals?\b|scripting\b|idioms?\b|developers?\b)|[Bb]ashism|POSIX (?:sh\b|shell|compliance)/,
  task: /\bTask(?:\.[A-Z]\w+|<|\s*\{|\[\])|<Task\b|\b(?:async|class|interface|type|struct|enum) Task\b|\bValueTask\b|shared_task|\b[Cc]elery\b|TaskGroup/,
  agent:
    /\b(?:class|interface|type|struct) Agent\b|\bAgent\s*(?:<|\(\s*(?:name|model|role|instructions|llm|tools)\s*=)|\bimport\b[^\n]{0,60}\bAgent\b|CrewAI|AutoGen|[Pp]ydantic/,
  skill: /\b(?:class|interface|type|struct) Skill\b|\bSkill(?:<|\[\])/,
  sendmessage: /\bUnity\b|GameObject|BroadcastMessage|\bSQS\b|SendMessage(?:Async|W|A)\b/,
  read: /\bio::|\bimpl\s+Read\b|\bio\.Reader\b/,
  write: /\bio::|\bimpl\s+Write\b|\bio\.Writer\b/,
}

/** "use Read", "via Bash". */
export const STRONG_CUE =
  /\b(?:use|uses|used|using|utilize|utilizing|leverage|leveraging|employ|via|invoke|invokes|invoking|call|calling|instead of|rather than)\s+(?:(?:the|only|just|both|either|multiple|parallel|targeted)\s+)?$|(?:使用|调用|通过|用)\s*$/i
export const NOUN_CUE = /\b(?:use|uses|using|via|invoke|invoking)\s+(?:the\s+|only\s+)?$|(?:使用|调用|通过)\s*$/i
/** "with Read", "have Bash", "prefer Grep": also English, so the text after it must be unambiguous. */
export const WEAK_CUE =
  /\b(?:with|through|have|has|having|without|requires?|requiring|needs?|prefers?|over|than|on|allows?|allowing|deny|denies|denied|grants?|granted|access to|limited to|restricted to|permits?|forbids?|blocks?|no|before|after|each|every|single|another|your|claude['’]s)\s+$/i
export const PLAIN_END =
  /^(?:$|[.,;:)]|\s+(?:whenever|when|if|unless|instead|for|to|with|before|after|only|first|again|per|on|and|or|is|are)\b|\s*[(—–]|\s+--?\s)/
export const TOOL_LABEL = /\btools?(?:[_ ](?:name|used|available|access|list))?["'`]?\**\s*[:=]\**\s*[[("'`*]*$/i
export const COMMAND_NOUN = /^\s+(?:operations?|access|calls?|invocations?|tool)\b/
/** What comes out of a tool. */
const RESULT = 'outputs?|results?|calls?|invocations?|timeouts?|exit codes?|stdout|stderr'
/** "the Bash output", "each Read result": what a tool gave, where an article shows that no title begins. */
export const RESULT_NOUN = new RegExp(`^\\s+(?:${RESULT})\\b`)
export const BEFORE_RESULT = /\b(?:the|a|an|each|every|any|your|this|that|its|of|from|in|last|previous|raw|with)\s+$/i
/** "Bash's output", "Read's `limit`". */
export const POSSESSIVE = new RegExp(
  `^[*_\`]*['’]s\\s+(?:(?:own|last|raw|full|first)\\s+)?(?:${RESULT}|parameters?|arguments?|limits?|offset|line numbers?|description|prompt|schema|\`|default)`,
)
export const SUBJECT = /^\s+(?:is|may|must|should|can|cannot)\s+(?!an?\b|the\b|one\b|not an?\b)/
export const TASK_CALL =
  /\b(?:an?|the|your|each|every|one|single|multiple|separate|parallel|foreground|background)\s+$/i
export const OUTCOME = /^\s+(?:fails?|returns?|errors?|succeeds|is (?:not )?(?:available|unavailable|denied|blocked))\b/

/** Whether a text also uses a tool word in another sense: C# tasks, Bash the language, traits of Rust. */
export interface Meanings {
  readonly hasOther: (key: string) => boolean
}

/** Searches the text only for words that are ambiguous, and once for each. */
export function meaningsIn(text: string): Meanings {
  const known = new Map<string, boolean>()
  return {
    hasOther: (key) => {
      let other = known.get(key)
      if (other === undefined) {
        other = otherMeanings[key]?.test(text) ?? false
        known.set(key, other)
      }
      return other
    },
  }
}
