// POST /v1/responses: the newer of the two OpenAI APIs.
import * as z from "zod";
import { once, type RunOutcome } from "@chela/sdk";
import { scopesOfHolder } from "./method-route.ts";
import { readWishes, Wishes } from "./openai-parameters.ts";
import { calledIn, readContent, readPrompt, unusable, type PromptTurn } from "./openai-prompt.ts";
import { runApiTurn, streamApiTurn, usageOf } from "./openai-turn.ts";
import type { House } from "../../house/house.ts";
import { HttpError, readBody, sendJson } from "../../base/http/request.ts";
import type { HttpCall } from "@chela/sdk";

type ApiEvent = { readonly type: string; readonly [field: string]: unknown };

const MAX_BODY_BYTES = 20 * 1024 * 1024;

const Item = once(() =>
  z.looseObject({
    type: z.string().optional(),
    role: z.string().optional(),
    content: z.unknown().optional(),
    output: z.unknown().optional(),
    call_id: z.string().optional(),
  }),
);
const Body = once(() =>
  z.looseObject({
    model: z.string().min(1),
    input: z.union([z.string(), z.array(Item())]),
    instructions: z.string().nullish(),
    previous_response_id: z.string().nullish(),
    stream: z.boolean().nullish(),
    user: z.string().nullish(),
    ...Wishes().shape,
  }),
);
const USED = ["model", "input", "instructions", "previous_response_id", "stream", "user"];

export async function responses(call: HttpCall, gateway: House): Promise<void> {
  const { request, response } = call;
  const body = await readBody(request, MAX_BODY_BYTES, Body());
  const wishes = readWishes(body, USED, response);
  const prompt = readPrompt(turnsOf(body));
  if (!prompt) throw new HttpError(400, "invalid_request_error", "Missing user message in `input`.");
  const runId = `resp_${gateway.ids.uuid()}`;
  const answer = new ResponseWriter(
    runId,
    body.model,
    Math.floor(gateway.clock.now() / 1000),
    `msg_${gateway.ids.uuid()}`,
  );
  const sessionKey = await sessionOfResponse(gateway, body.previous_response_id ?? undefined);
  const turn = {
    runId,
    model: body.model,
    prompt,
    user: body.user ?? undefined,
    family: "openresponses",
    sessionKey,
    scopes: scopesOfHolder(call.client),
    wishes,
  };

  if (!body.stream) {
    const outcome = await runApiTurn(turn, request, gateway, () => {});
    return sendJson(response, outcome.status === "error" ? 502 : 200, answer.resource(outcome));
  }
  const encode = (...events: ApiEvent[]): string =>
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const { outcome, text } = await streamApiTurn(turn, call, gateway, {
    opening: () => encode(...answer.opening()),
    text: (delta) => encode(answer.delta(delta)),
  });
  response.write(encode(...answer.closing(outcome, text)));
  response.end("data: [DONE]\n\n");
}

/** Every answer is a run of a conversation: who names one goes on there. */
async function sessionOfResponse(gateway: House, id: string | undefined): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const run = id.startsWith("resp_") ? await gateway.ledger.run(id) : undefined;
  if (!run) throw new HttpError(400, "invalid_request_error", `previous_response_id: there is no response "${id}".`);
  return run.message.sessionKey;
}

function turnsOf(body: {
  input: string | Array<z.output<ReturnType<typeof Item>>>;
  instructions?: string | null | undefined;
}): PromptTurn[] {
  const system = body.instructions ? [{ role: "system", text: body.instructions, files: [] }] : [];
  if (typeof body.input === "string") return [...system, { role: "user", text: body.input, files: [] }];
  const items = body.input.flatMap((item): PromptTurn[] => {
    if (item.type === "function_call_output")
      return [{ role: "tool", ...readContent(item.output), name: item.call_id }];
    if (item.role) return [{ role: item.role, ...readContent(item.content) }];
    if (item.type === "function_call") return [{ role: "assistant", ...readContent("", calledIn([item])) }];
    // What a model thought in an earlier answer is nothing a later one is told.
    if (item.type === "reasoning") return [];
    throw unusable(`input: an item of type "${String(item.type).slice(0, 40)}" cannot be read. Messages can.`);
  });
  return [...system, ...items];
}

/** The response resource and the events that build it up. */
class ResponseWriter {
  readonly #head: { id: string; object: "response"; created_at: number; model: string };
  readonly #itemId: string;

  constructor(id: string, model: string, createdAt: number, itemId: string) {
    this.#head = { id, object: "response", created_at: createdAt, model };
    this.#itemId = itemId;
  }

  resource(outcome: RunOutcome): object {
    const { input, output } = usageOf(outcome);
    const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
    if (outcome.status === "error") {
      const error = { code: "api_error", message: outcome.error ?? "The turn failed." };
      return { ...this.#head, status: "failed", output: [], usage, error };
    }
    const isCut = outcome.stopReason === "length";
    const status = isCut ? "incomplete" : "completed";
    const items = [this.#item(outcome.texts.join("\n\n"), status)];
    const details = isCut ? { incomplete_details: { reason: "max_output_tokens" } } : {};
    return { ...this.#head, status, output: items, usage, ...details };
  }

  opening(): Array<ApiEvent> {
    const response = { ...this.#head, status: "in_progress", output: [] };
    const place = { item_id: this.#itemId, output_index: 0, content_index: 0 };
    return [
      { type: "response.created", response },
      { type: "response.in_progress", response },
      { type: "response.output_item.added", output_index: 0, item: { ...this.#item("", "in_progress"), content: [] } },
      { type: "response.content_part.added", ...place, part: { type: "output_text", text: "" } },
    ];
  }

  delta(delta: string): ApiEvent {
    return { type: "response.output_text.delta", item_id: this.#itemId, output_index: 0, content_index: 0, delta };
  }

  closing(outcome: RunOutcome, text: string): Array<ApiEvent> {
    const response = this.resource(outcome);
    if (outcome.status === "error") return [{ type: "response.failed", response }];
    const place = { item_id: this.#itemId, output_index: 0, content_index: 0 };
    const status = outcome.stopReason === "length" ? "incomplete" : "completed";
    return [
      { type: "response.output_text.done", ...place, text },
      { type: "response.content_part.done", ...place, part: { type: "output_text", text } },
      { type: "response.output_item.done", output_index: 0, item: this.#item(text, status) },
      { type: `response.${status}`, response },
    ];
  }

  #item(text: string, status: string): object {
    const content = [{ type: "output_text", text, annotations: [] }];
    return { type: "message", id: this.#itemId, role: "assistant", content, status };
  }
}
