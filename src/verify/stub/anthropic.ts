/** Anthropic Messages, as Claude Code uses it. */
import { isJsonObject } from '../../formats/data.ts'
import type { Json } from '../../model/agent.ts'
import {
  type Answer,
  contentTexts,
  eventStream,
  fewTokens,
  jsonDocument,
  nextId,
  objects,
  type Protocol,
  pickParameters,
  serverSentEvents,
  textOf,
  wantsStream,
} from './wire.ts'

function usageOf({ usage: { input, output, cacheRead = 0, cacheWrite = 0 } = fewTokens }: Answer) {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
  }
}

export const anthropic: Protocol = {
  name: 'anthropic',
  matches: (path) => /\/v1\/messages(\?|$)/.test(path),
  parse: (body, _path, headers) => {
    const request = isJsonObject(body) ? body : {}
    return {
      protocol: 'anthropic',
      model: textOf(request.model),
      system: contentTexts(request.system),
      said: objects(request.messages)
        .filter(({ role }) => role !== 'assistant')
        .flatMap(({ content }) => contentTexts(content)),
      tools: objects(request.tools).map(({ name }) => textOf(name)),
      parameters: pickParameters(request, ['temperature', 'top_p', 'max_tokens', 'thinking', 'output_config']),
      headers,
      body,
    }
  },
  render: (answer, request) => {
    const content = blocks(answer)
    const usage = usageOf(answer)
    const stop = answer.calls === undefined ? 'end_turn' : 'tool_use'
    const message = { id: nextId('msg'), type: 'message', role: 'assistant', model: request.model }
    if (!wantsStream(request)) {
      const document = { ...message, content, stop_reason: stop, stop_sequence: null, usage }
      return { type: jsonDocument, text: JSON.stringify(document) }
    }
    const start = { ...message, content: [], stop_reason: null, stop_sequence: null, usage }
    return {
      type: eventStream,
      text: serverSentEvents([
        ['message_start', { type: 'message_start', message: start }],
        ...content.flatMap(blockEvents),
        [
          'message_delta',
          {
            type: 'message_delta',
            delta: { stop_reason: stop, stop_sequence: null },
            usage: { output_tokens: usage.output_tokens },
          },
        ],
        ['message_stop', { type: 'message_stop' }],
      ]),
    }
  },
}

type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; input: { readonly [key: string]: Json } }

function blocks({ text, calls }: Answer): Block[] {
  const said: Block[] = text === undefined ? [] : [{ type: 'text', text }]
  return [
    ...said,
    ...(calls ?? []).map(
      (call): Block => ({ type: 'tool_use', id: nextId('toolu'), name: call.tool, input: call.arguments }),
    ),
  ]
}

function blockEvents(block: Block, index: number): [string, Json][] {
  const start = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
  return [
    ['content_block_start', { type: 'content_block_start', index, content_block: start }],
    ['content_block_delta', { type: 'content_block_delta', index, delta }],
    ['content_block_stop', { type: 'content_block_stop', index }],
  ]
}
