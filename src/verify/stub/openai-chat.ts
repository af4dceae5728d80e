/** OpenAI Chat Completions, as OpenCode, Copilot and Qwen Code use it. */
import { isJsonObject } from '../../formats/data.ts'
import type { JsonObject } from '../../model/agent.ts'
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
