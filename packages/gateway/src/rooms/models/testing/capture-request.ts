// Makes one call through the front door of the room and tells what arrived at the server.
import { plainRequest } from "@chela/sdk/testing";
import type { ModelApi, ModelEvent, ModelRequest } from "@chela/sdk";
import { expect } from "vitest";
import type { RecordedRequest } from "./replay-server.ts";
import { openBench, replyFor } from "./wire-harness.ts";

export interface CaptureOptions {
  readonly provider?: string;
  readonly modelId?: string;
  readonly request?: Partial<ModelRequest>;
  /** More of the provider's configuration. */
  readonly config?: object;
}

export async function captureRequest(api: ModelApi, options: CaptureOptions = {}): Promise<RecordedRequest> {
  const [recorded] = await captureRequests(api, options, [options.request ?? {}]);
  if (!recorded) throw new Error("nothing arrived");
  return recorded;
}

/** The same for several requests to one server. */
export async function captureRequests(
  api: ModelApi,
  { provider, modelId, config }: CaptureOptions,
  requests: readonly Partial<ModelRequest>[],
): Promise<readonly RecordedRequest[]> {
  await using bench = await openBench(api, provider, modelId, config);
  bench.server.answer(replyFor(api, "text"));
  for (const request of requests) {
    const events: ModelEvent[] = [];
    const sent = { ...plainRequest(bench.model), ...request };
    for await (const event of bench.models.stream(sent, new AbortController().signal)) events.push(event);
    expect(events.at(-1)?.kind).toBe("finish");
  }
  return bench.server.requests;
}

/** Walks into JSON: `pick(body, "messages", 0, "role")`; a negative index counts from the end, "*" takes all. */
export function pick(value: unknown, ...path: (string | number)[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (step === "*") return (value as unknown[]).map((item) => pick(item, ...rest));
  if (typeof step === "number") return pick((value as unknown[]).at(step), ...rest);
  return pick((value as Record<string, unknown>)[step], ...rest);
}
