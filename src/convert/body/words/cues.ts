/** What stands before a tool that is used, and what may stand after it. */

/** "use Read", "via Bash". */
export const STRONG_CUE =
  /\b(?:use|uses|used|using|utilize|utilizing|leverage|leveraging|employ|via|invoke|invokes|invoking|call|calling|instead of|rather than)\s+(?:(?:the|only|just|both|either|multiple|parallel|targeted)\s+)?$|(?:使用|调用|通过|用)\s*$/i
export const NOUN_CUE = /\b(?:use|uses|using|via|invoke|invoking)\s+(?:the\s+|only\s+)?$|(?:使用|调用|通过)\s*$/i
/** "with Read", "have Bash", "prefer Grep": also English, so that what follows must be plain. */
export const WEAK_CUE =
  /\b(?:with|through|have|has|having|without|requires?|requiring|needs?|prefers?|over|than|on|allows?|allowing|deny|denies|denied|grants?|granted|access to|limited to|restricted to|permits?|forbids?|blocks?|no|before|after|each|every|your|claude['’]s)\s+$/i
export const PLAIN_END =
  /^(?:$|[.,;:)]|\s+(?:whenever|when|if|unless|instead|for|to|with|before|after|only|on|and|or|is|are)\b|\s*[(—–]|\s+--?\s)/
export const TOOL_LABEL = /\btools?(?:\s+(?:name|used|available|access|list))?\**\s*[:=]\**\s*[[("'`*]*$/i
export const COMMAND_NOUN = /^\s+(?:operations?|access|calls?|invocations?|tool)\b/
export const SUBJECT = /^\s+(?:is|may|must|should|can|cannot)\s+(?!an?\b|the\b|one\b|not an?\b)/
export const TASK_CALL =
  /\b(?:an?|the|your|each|every|one|single|multiple|separate|parallel|foreground|background)\s+$/i
export const OUTCOME = /^\s+(?:fails?|returns?|errors?|succeeds|is (?:not )?(?:available|unavailable|denied|blocked))\b/
