// Amazon Bedrock's Converse API: signed calls, answered in AWS's binary event stream.
import type { ModelProvider } from "@chela/sdk";
import { systemClock } from "@chela/sdk/base";
import type { HttpFetch } from "@chela/sdk/http";
import { signForAws } from "./aws-signature.ts";
import { ConverseAnswer } from "./bedrock-converse-answer.ts";
import { toConverseBody } from "./bedrock-converse-body.ts";
import { createHttpWire } from "../http-wire.ts";
import { trimUrl, type WireSettings, type WireTools } from "../wire.ts";

export function createBedrockConverse(settings: WireSettings, fetch: HttpFetch, tools: WireTools = {}): ModelProvider {
  const { clock = systemClock } = tools;
  const url = `${trimUrl(settings.baseUrl)}/model/${encodeURIComponent(settings.modelId)}/converse-stream`;
  const plain = { ...settings.headers, "content-type": "application/json" };
  const headersFor = (body: string): Record<string, string> => {
    const { apiKey, aws } = settings;
    if (apiKey) return { authorization: `Bearer ${apiKey}`, ...plain };
    if (!aws) return plain;
    const call = { method: "POST", url, headers: plain, body, now: clock.now(), service: "bedrock" };
    return signForAws(call, { ...aws, region: regionOf(url) ?? aws.region });
  };
  return createHttpWire(settings, fetch, {
    prepare(request) {
      const body = JSON.stringify(toConverseBody(request));
      return { url, headers: headersFor(body), body };
    },
    open: (request, context) => new ConverseAnswer(request.model, context),
  });
}

/** A signature is good for one region only, and AWS's own addresses name theirs. */
function regionOf(url: string): string | undefined {
  return /^https:\/\/bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.amazonaws\.com/.exec(url)?.[1];
}
