/** Gemini's generateContent, as Gemini CLI uses it. */
import { isJsonObject } from '../../formats/data.ts'
import type { JsonObject } from '../../model/agent.ts'
import {
  contentTexts,
  eventStream,
  jsonDocument,
  objects,
  type Protocol,
  serverSentEvents,
  textOf,
  wantsStream,
} from './wire.ts'

export const gemini: Protocol = {
  name: 'gemini',
  matches: (path) => /:(stream)?generateContent(\?|$)/i.test(path),
  parse: (body, path, headers) => {
    const request = isJsonObject(body) ? body : {}
    const config = isJsonObject(request.generationConfig) ? request.generationConfig : {}
    return {
      protocol: 'gemini',
      model: /\/models\/([^:/]+):/.exec(path)?.[1] ?? '',
      system: isJsonObject(request.systemInstruction)
        ? partTexts(request.systemInstruction)
        : contentTexts(request.systemInstruction),
      said: objects(request.contents)
        .filter(({ role }) => role !== 'model')
        .flatMap(partTexts),
      tools: objects(request.tools).flatMap((tool) => {
        const declared = objects(tool.functionDeclarations).map(({ name }) => textOf(name))
        return declared.length > 0 ? declared : Object.keys(tool)
      }),
      parameters: config,
      headers,
      // The path shows whether a stream is wanted.
      body: { ...request, stream: /:streamGenerateContent/i.test(path) },
    }
  },
  render: (answer, request) => {
    const parts = [
      ...(answer.text === undefined ? [] : [{ text: answer.text }]),
      ...(answer.calls ?? []).map(({ tool, arguments: args }) => ({ functionCall: { name: tool, args } })),
    ]
    const document = {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: request.model,
    }
    return wantsStream(request)
      ? { type: eventStream, text: serverSentEvents([[null, document]]) }
      : { type: jsonDocument, text: JSON.stringify(document) }
  },
}

function partTexts(content: JsonObject): string[] {
  return objects(content.parts).flatMap((part) => {
    if (typeof part.text === 'string') return [part.text]
    return isJsonObject(part.functionResponse) ? [JSON.stringify(part.functionResponse)] : []
  })
}
