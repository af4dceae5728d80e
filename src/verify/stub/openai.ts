/** OpenAI, in both of its protocols: Responses, as Codex uses it, and Chat Completions. */
import { isJsonObject } from '../../formats/data.ts'
import type { Json, JsonObject } from '../../model/agent.ts'
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

const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
}

export const openaiResponses: Protocol = {
  name: 'openai-responses',
  matches: (path) => /\/responses(\?|$)/.test(path),
  parse: (body, _path, headers) => {
    const request = isJsonObject(body) ? body : {}
    const input =
      typeof request.input === 'string' ? [{ role: 'user', content: request.input }] : objects(request.input)
    const isSystem = ({ role }: JsonObject) => role === 'system' || role === 'developer'
    return {
      protocol: 'openai-responses',
      model: textOf(request.model),
      system: [
        ...contentTexts(request.instructions),
        ...input.filter(isSystem).flatMap(({ content }) => contentTexts(content)),
      ],
      said: input
        .filter((item) => !isSystem(item) && item.role !== 'assistant')
        .flatMap((item) => [...contentTexts(item.content), ...contentTexts(item.output), ...searchResults(item)]),
      tools: [...objects(request.tools), ...input.flatMap(addedTools)].flatMap(toolNames),
      parameters: pickParameters(request, ['temperature', 'top_p', 'reasoning', 'text']),
      headers,
      body,
    }
  },
  render: (answer, request) => {
    const output = items(answer)
    const response = {
      id: nextId('resp'),
      object: 'response',
      model: request.model,
      output,
      usage,
      status: 'completed',
    }
    if (!wantsStream(request)) return { type: jsonDocument, text: JSON.stringify(response) }
    return {
      type: eventStream,
      text: serverSentEvents([
        [
          'response.created',
          { type: 'response.created', response: { ...response, output: [], status: 'in_progress' } },
        ],
        ...output.flatMap((item, index): [string, Json][] => [
          ['response.output_item.added', { type: 'response.output_item.added', output_index: index, item }],
          ['response.output_item.done', { type: 'response.output_item.done', output_index: index, item }],
        ]),
        ['response.completed', { type: 'response.completed', response }],
      ]),
    }
  },
}

/** Plain tools have a name or only a type; a namespace holds tools of its own. */
function toolNames(tool: JsonObject): string[] {
  if (tool.type === 'namespace') return objects(tool.tools).map(({ name }) => `${textOf(tool.name)}.${textOf(name)}`)
  return [textOf(tool.name) || textOf(tool.type)]
}

/** Newer models are given their tools as part of the input. */
function addedTools(item: JsonObject): readonly JsonObject[] {
  return item.type === 'additional_tools' ? objects(item.tools) : []
}

/** Tools found by a search are in its result. */
function searchResults(item: JsonObject): string[] {
  return item.type === 'tool_search_output' ? [JSON.stringify(item.tools ?? item)] : []
}

function items({ text, calls }: Answer): JsonObject[] {
  const called = (calls ?? []).map(
    (call): JsonObject =>
      call.tool === 'tool_search'
        ? {
            type: 'tool_search_call',
            id: nextId('ts'),
            call_id: nextId('call'),
            execution: 'client',
            status: 'completed',
            arguments: call.arguments,
          }
        : {
            type: 'function_call',
            id: nextId('fc'),
            call_id: nextId('call'),
            name: call.tool,
            ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
            arguments: JSON.stringify(call.arguments),
          },
  )
  if (text === undefined) return called
  const content = [{ type: 'output_text', text, annotations: [] }]
  return [{ type: 'message', id: nextId('msg'), role: 'assistant', status: 'completed', content }, ...called]
}

/** Cached tokens count as part of the prompt here. */
function usageOf({ usage: { input, output, cacheRead = 0, cacheWrite = 0 } = fewTokens }: Answer) {
  const prompt = input + cacheRead + cacheWrite
  const details = cacheRead === 0 ? {} : { prompt_tokens_details: { cached_tokens: cacheRead } }
  return { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output, ...details }
}

export const openaiChat: Protocol = {
  name: 'openai-chat',
  matches: (path) => /\/chat\/completions(\?|$)/.test(path),
  parse: (body, _path, headers) => {
    const request = isJsonObject(body) ? body : {}
    const messages = objects(request.messages)
    const isSystem = (role: unknown) => role === 'system' || role === 'developer'
    return {
      protocol: 'openai-chat',
      model: textOf(request.model),
      system: messages.filter(({ role }) => isSystem(role)).flatMap(({ content }) => contentTexts(content)),
      said: messages
        .filter(({ role }) => !isSystem(role) && role !== 'assistant')
        .flatMap(({ content }) => contentTexts(content)),
      tools: objects(request.tools).map(toolName),
      parameters: pickParameters(request, ['temperature', 'top_p', 'max_tokens', 'reasoning_effort']),
      headers,
      body,
    }
  },
  render: (answer, request) => {
    const calls = (answer.calls ?? []).map((call, index) => ({
      index,
      id: nextId('call'),
      type: 'function',
      function: { name: call.tool, arguments: JSON.stringify(call.arguments) },
    }))
    const message = {
      role: 'assistant',
      content: answer.text ?? null,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }
    const usage = usageOf(answer)
    const reason = calls.length > 0 ? 'tool_calls' : 'stop'
    const common = { id: 'chatcmpl-stub', created: 0, model: request.model }
    if (!wantsStream(request)) {
      const document = {
        ...common,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: reason }],
        usage,
      }
      return { type: jsonDocument, text: JSON.stringify(document) }
    }
    const chunk = { ...common, object: 'chat.completion.chunk' }
    return {
      type: eventStream,
      text: serverSentEvents([
        [null, { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] }],
        [null, { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: reason }], usage }],
        [null, '[DONE]'],
      ]),
    }
  },
}

/** A function, or a tool that takes free text (apply_patch of newer models). */
function toolName(tool: JsonObject): string {
  const described = [tool.function, tool.custom].find(isJsonObject) ?? tool
  return textOf(described.name)
}
