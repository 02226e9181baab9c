// POST /v1/chat/completions: any OpenAI client can talk to an agent.
import * as z from "zod";
import { once } from "@chela/sdk";
import { explainIssues } from "@chela/sdk/protocol";
import { contentText, readPrompt } from "./openai-prompt.ts";
import { openEventStream, runApiTurn, usageOf, type OpenAiParts } from "./openai-turn.ts";
import { HttpError, readJson, sendJson } from "./request.ts";
import type { HttpCall } from "./router.ts";

const MAX_BODY_BYTES = 1024 * 1024;

const Body = once(() =>
  z.looseObject({
    model: z.string().default("openclaw"),
    messages: z.array(z.looseObject({ role: z.string(), content: z.unknown(), name: z.string().optional() })),
    stream: z.boolean().nullish(),
    stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
    user: z.string().nullish(),
  }),
);

export async function chatCompletions({ request, response }: HttpCall, parts: OpenAiParts): Promise<void> {
  const raw = await readJson(request, MAX_BODY_BYTES);
  const parsed = Body().safeParse(raw);
  if (!parsed.success) throw new HttpError(400, "invalid_request_error", explainIssues(parsed.error.issues, raw));
  const { model, messages, stream, user, stream_options: options } = parsed.data;
  const prompt = readPrompt(messages.map(({ role, content, name }) => ({ role, text: contentText(content), name })));
  if (!prompt) throw new HttpError(400, "invalid_request_error", "Missing user message in `messages`.");
  const runId = `chatcmpl_${parts.gateway.ids.uuid()}`;
  const created = Math.floor(parts.gateway.clock.now() / 1000);
  const turn = { runId, model, prompt, user: user ?? undefined, family: "openai" };
  const head = { id: runId, created, model };

  if (!stream) {
    const outcome = await runApiTurn(turn, request, parts, () => {});
    if (outcome.status === "error") throw new HttpError(502, "api_error", outcome.error ?? "The turn failed.");
    const content = outcome.texts.join("\n\n");
    const choice = { index: 0, message: { role: "assistant", content }, finish_reason: "stop" };
    return sendJson(response, 200, { ...head, object: "chat.completion", choices: [choice], usage: usage(outcome) });
  }

  const chunk = (delta: object, finish: string | null): string =>
    `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const begin = once_(() => {
    openEventStream(response);
    response.write(chunk({ role: "assistant" }, null));
  });
  let streamed = "";
  const outcome = await runApiTurn(turn, request, parts, (delta) => {
    begin();
    streamed += delta;
    response.write(chunk({ content: delta }, null));
  });
  begin();
  if (outcome.status === "error") response.write(chunk({ content: `Error: ${outcome.error}` }, "stop"));
  else {
    // Text that was never streamed (a stopped or silent turn) still has to arrive.
    const rest = streamed ? "" : outcome.texts.join("\n\n");
    if (rest) response.write(chunk({ content: rest }, null));
    response.write(chunk({}, "stop"));
  }
  if (options?.include_usage) {
    response.write(
      `data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [], usage: usage(outcome) })}\n\n`,
    );
  }
  response.end("data: [DONE]\n\n");
}

function usage(outcome: Parameters<typeof usageOf>[0]) {
  const { input, output, cached } = usageOf(outcome);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function once_(task: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    task();
  };
}
