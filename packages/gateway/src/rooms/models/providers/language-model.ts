// Runs a language model of the AI SDK behind our seam: it never throws and always ends with one finish or failure.
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { ModelProvider, ModelRequest } from "@chela/sdk";
import { abortedEvent, isEnd } from "./endings.ts";
import { createEventTranslator } from "./events.ts";
import { cutFailure, toFailure } from "./failure.ts";
import { failureContextOf } from "./http-wire.ts";
import type { WireSettings } from "./wire.ts";

export function createLanguageModelProvider(
  settings: WireSettings,
  model: LanguageModelV3,
  toCall: (request: ModelRequest) => LanguageModelV3CallOptions,
): ModelProvider {
  const context = failureContextOf(settings);
  return {
    id: settings.provider,
    async *stream(request, signal) {
      if (signal.aborted) return yield abortedEvent();
      let reader: ReadableStreamDefaultReader<LanguageModelV3StreamPart> | undefined;
      let isWhole = false;
      // The library does not let go of an answer that fails with its first event.
      const stop = new AbortController();
      try {
        const { stream } = await model.doStream({
          ...toCall(request),
          abortSignal: AbortSignal.any([signal, stop.signal]),
        });
        reader = stream.getReader();
        const translator = createEventTranslator(request.model, context);
        for (;;) {
          const { done, value } = await reader.read();
          const events = done
            ? [{ kind: "failure", failure: cutFailure(settings.provider) } as const]
            : translator.translate(value);
          for (const event of events) {
            isWhole = event.kind === "finish";
            yield isEnd(event) && signal.aborted ? abortedEvent() : event;
            if (isEnd(event)) return;
          }
        }
      } catch (error) {
        yield signal.aborted ? abortedEvent() : { kind: "failure", failure: toFailure(error, context) };
      } finally {
        if (reader) letGo(reader, isWhole);
        if (!isWhole) stop.abort("given up");
      }
    },
  };
}

/** A complete answer is read to its last byte, so that the connection can be used again; others are hung up on. */
function letGo(reader: ReadableStreamDefaultReader<unknown>, complete: boolean): void {
  const drain = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  void (complete ? drain() : reader.cancel()).catch(() => undefined);
}
