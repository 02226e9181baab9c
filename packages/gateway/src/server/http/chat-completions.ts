// POST /v1/chat/completions: any OpenAI client can talk to an agent.
import * as z from "zod";
import { once, type RunOutcome } from "@chela/sdk";
import { scopesOfHolder } from "./method-route.ts";
import type { House } from "../../house/house.ts";
import { readWishes, Wishes } from "./openai-parameters.ts";
import { calledIn, readContent, readPrompt } from "./openai-prompt.ts";
import { runApiTurn, streamApiTurn, usageOf } from "./openai-turn.ts";
import { HttpError, readBody, sendJson } from "../../base/http/request.ts";
import type { HttpCall } from "@chela/sdk";

/** Pictures travel inside. */
const MAX_BODY_BYTES = 20 * 1024 * 1024;

const Body = once(() =>
  z.looseObject({
    model: z.string().default("openclaw"),
    messages: z.array(
      z.looseObject({
        role: z.string(),
        content: z.unknown(),
        name: z.string().optional(),
        tool_calls: z.unknown().optional(),
      }),
    ),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    user: z.string().nullish(),
    ...Wishes().shape,
  }),
);
const USED = ["model", "messages", "stream", "stream_options", "user"];

export async function chatCompletions(call: HttpCall, house: House): Promise<void> {
  const { request, response } = call;
  const body = await readBody(request, MAX_BODY_BYTES, Body());
  const { model, messages, stream, user, stream_options: options } = body;
  const wishes = readWishes(body, USED, response);
  const prompt = readPrompt(
    messages.map(({ role, content, name, tool_calls: calls }) => ({
      role,
      ...readContent(content, calledIn(calls)),
      name,
    })),
  );
  if (!prompt) throw new HttpError(400, "invalid_request_error", "Missing user message in `messages`.");
  const runId = `chatcmpl_${house.ids.uuid()}`;
  const created = Math.floor(house.clock.now() / 1000);
  const scopes = scopesOfHolder(call.client);
  const turn = { runId, model, prompt, user: user ?? undefined, family: "openai", scopes, wishes };
  const head = { id: runId, created, model };

  if (!stream) {
    const outcome = await runApiTurn(turn, request, house, () => {});
    if (outcome.status === "error") throw failed(outcome);
    const content = outcome.texts.join("\n\n");
    const choice = { index: 0, message: { role: "assistant", content }, finish_reason: finishOf(outcome) };
    return sendJson(response, 200, { ...head, object: "chat.completion", choices: [choice], usage: usage(outcome) });
  }

  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const { outcome } = await streamApiTurn(turn, call, house, {
    opening: () => chunk({ role: "assistant" }, null),
    text: (delta) => chunk({ content: delta }, null),
    refuse: (failure) => {
      throw failed(failure);
    },
  });
  if (outcome.status === "error") {
    const { message, type } = failed(outcome);
    return void response.end(`data: ${JSON.stringify({ error: { message, type } })}\n\ndata: [DONE]\n\n`);
  }
  response.write(chunk({}, finishOf(outcome)));
  if (options?.include_usage) {
    response.write(
      `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [], usage: usage(outcome) })}\n\n`,
    );
  }
  response.end("data: [DONE]\n\n");
}

function finishOf({ stopReason }: RunOutcome): string {
  return stopReason === "length" ? "length" : "stop";
}

function failed({ error = "The turn failed." }: RunOutcome): HttpError {
  return new HttpError(502, "api_error", error);
}

function usage(outcome: RunOutcome) {
  const { input, output, cached } = usageOf(outcome);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
