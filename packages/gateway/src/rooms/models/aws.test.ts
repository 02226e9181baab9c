// How calls to AWS are signed, and where the key for that comes from.
import { createHash, createHmac } from "node:crypto";
import { createFakeClock, plainRequest } from "@chela/sdk/testing";
import type { ModelEvent } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { createHttpFetch, type HttpRequest, HttpHeaders } from "@chela/sdk/http";
import { bedrockUrl, findAwsCredentials } from "./providers/aws/aws-access.ts";
import { signForAws } from "./providers/aws/aws-signature.ts";
import { createBedrockConverse } from "./providers/aws/bedrock-converse.ts";
import { openReplayServer, type RecordedRequest } from "./testing/replay-server.ts";
import { replyFor } from "./testing/wire-harness.ts";

const ACCESS = {
  region: "eu-central-1",
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

async function callBedrock(aws: object, modelId: string): Promise<RecordedRequest> {
  await using server = await openReplayServer();
  server.answer(replyFor("bedrock-converse-stream", "text"));
  const fetch = createHttpFetch();
  const settings = { provider: "amazon-bedrock", modelId, baseUrl: server.url, bearer: false, headers: {}, compat: {} };
  const wire = createBedrockConverse({ ...settings, ...aws }, fetch, { clock: createFakeClock(1_768_478_400_000) });
  const events: ModelEvent[] = [];
  const request = plainRequest({ id: modelId, api: "bedrock-converse-stream" });
  for await (const event of wire.stream(request, new AbortController().signal)) events.push(event);
  fetch.close();
  expect(events.at(-1)?.kind).toBe("finish");
  const [recorded] = server.requests;
  if (!recorded) throw new Error("nothing arrived");
  return recorded;
}

/** The signature a request should have, worked out from what arrived, step by step as AWS describes it. */
function expectedSignature({ method, path, headers, text }: RecordedRequest, secret: string): string {
  const authorization = String(headers.authorization);
  const [, day = "", region = "", service = ""] =
    /Credential=[^/]+\/(\d+)\/([^/]+)\/([^/]+)\//.exec(authorization) ?? [];
  const names = (/SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? "").split(";");
  const hash = (value: string): string => createHash("sha256").update(value, "utf8").digest("hex");
  const canonicalHeaders = names.map((name) => `${name}:${String(headers[name]).trim()}\n`).join("");
  const twiceEncoded = path.replaceAll("%", "%25");
  const canonical = `${method}\n${twiceEncoded}\n\n${canonicalHeaders}\n${names.join(";")}\n${hash(text)}`;
  const stringToSign = `AWS4-HMAC-SHA256\n${headers["x-amz-date"]}\n${day}/${region}/${service}/aws4_request\n${hash(canonical)}`;
  let key: Buffer | string = `AWS4${secret}`;
  for (const part of [day, region, service, "aws4_request"]) key = createHmac("sha256", key).update(part).digest();
  return createHmac("sha256", key).update(stringToSign).digest("hex");
}

describe("a signature", () => {
  it("is the one AWS publishes for its own example", () => {
    const call = { method: "GET", url: "https://example.amazonaws.com/", headers: {}, body: "", service: "service" };
    const headers = signForAws({ ...call, now: Date.UTC(2015, 7, 30, 12, 36) }, { ...ACCESS, region: "us-east-1" });
    expect(headers["authorization"]).toBe(
      "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, " +
        "SignedHeaders=host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
    );
  });

  it.for<[string, object, string]>([
    ["a plain name", { aws: ACCESS }, "amazon.nova-pro"],
    ["a name with a colon", { aws: ACCESS }, "us.anthropic.claude-sonnet-4-5-20250929-v1:0"],
    ["a session token and headers", { aws: { ...ACCESS, sessionToken: "FwoG/+=" }, headers: { "X-Team": "red" } }, "m"],
  ])("of Bedrock fits what arrives, with %s", async ([, settings, modelId]) => {
    const recorded = await callBedrock(settings, modelId);
    expect(recorded.path).toBe(`/model/${encodeURIComponent(modelId)}/converse-stream`);
    expect(recorded.headers["x-amz-date"]).toBe("20260115T120000Z");
    expect(recorded.headers.authorization).toContain("/20260115/eu-central-1/bedrock/aws4_request");
    expect(recorded.headers.authorization).toContain(
      `Signature=${expectedSignature(recorded, ACCESS.secretAccessKey)}`,
    );
  });

  it("is for the region that the address names", async () => {
    const asked: { url: string; authorization: unknown }[] = [];
    const refusing = async (url: string | URL, request?: HttpRequest): Promise<never> => {
      asked.push({
        url: String(url),
        authorization: Object.fromEntries(new HttpHeaders(request?.headers))["authorization"],
      });
      throw new Error("no network here");
    };
    const baseUrl = "https://bedrock-runtime.us-west-2.amazonaws.com/";
    const settings = { provider: "amazon-bedrock", modelId: "m", baseUrl, bearer: false, headers: {}, compat: {} };
    const fetch = Object.assign(refusing, { close: () => undefined });
    const wire = createBedrockConverse({ ...settings, aws: ACCESS }, fetch);
    for await (const event of wire.stream(plainRequest(), new AbortController().signal)) void event;
    expect(asked[0]?.url).toBe("https://bedrock-runtime.us-west-2.amazonaws.com/model/m/converse-stream");
    expect(asked[0]?.authorization).toContain("/us-west-2/bedrock/aws4_request");
  });

  it("is not needed with a key for Bedrock", async () => {
    const { headers } = await callBedrock({ apiKey: "bedrock-key", aws: ACCESS }, "m");
    expect(headers.authorization).toBe("Bearer bedrock-key");
  });
});

describe("the credentials of AWS", () => {
  const FILES: Record<string, string> = {
    "/home/me/.aws/credentials":
      "# mine\n[default]\naws_access_key_id = AKIA1\naws_secret_access_key = s1/=\n\n[work]\r\naws_access_key_id=AKIA2\r\naws_secret_access_key=s2\r\naws_session_token=t2\r\n[empty]\n",
    "/home/me/.aws/config": "[default]\nregion = eu-west-1\n[profile work]\nregion=us-west-2\n",
    "/other": "[default]\naws_access_key_id=AKIA3\naws_secret_access_key=s3\n",
  };
  const find = (env: Record<string, string>) => findAwsCredentials({ HOME: "/home/me", ...env }, (path) => FILES[path]);

  it.for<[string, Record<string, string>, object]>([
    [
      "the environment",
      { AWS_ACCESS_KEY_ID: "A", AWS_SECRET_ACCESS_KEY: "S", AWS_SESSION_TOKEN: "T", AWS_REGION: "ap-south-1" },
      { region: "ap-south-1", accessKeyId: "A", secretAccessKey: "S", sessionToken: "T" },
    ],
    [
      "the environment, with the other name of the region",
      { AWS_ACCESS_KEY_ID: "A", AWS_SECRET_ACCESS_KEY: "S", AWS_DEFAULT_REGION: "ca-central-1" },
      { region: "ca-central-1", accessKeyId: "A", secretAccessKey: "S" },
    ],
    ["the default profile", {}, { region: "eu-west-1", accessKeyId: "AKIA1", secretAccessKey: "s1/=" }],
    [
      "a named profile",
      { AWS_PROFILE: "work" },
      { region: "us-west-2", accessKeyId: "AKIA2", secretAccessKey: "s2", sessionToken: "t2" },
    ],
    [
      "a file elsewhere, and no region",
      { AWS_SHARED_CREDENTIALS_FILE: "/other", AWS_CONFIG_FILE: "/none" },
      { region: "us-east-1", accessKeyId: "AKIA3", secretAccessKey: "s3" },
    ],
  ])("come from %s", ([, env, access]) => {
    expect(find(env)).toMatchObject({ kind: "found", access });
  });

  it("come with the address of their region", () => {
    const env = { HOME: "/home/me", AWS_PROFILE: "work" };
    expect(bedrockUrl(env, (path) => FILES[path])).toBe("https://bedrock-runtime.us-west-2.amazonaws.com");
  });

  it.for<[string, Record<string, string>, string]>([
    ["half a key", { AWS_ACCESS_KEY_ID: "A" }, "AWS_SECRET_ACCESS_KEY is not set"],
    ["no file", { HOME: "/home/nobody" }, "no AWS key: set AWS_BEARER_TOKEN_BEDROCK"],
    [
      "a profile that is empty",
      { AWS_PROFILE: "empty" },
      'the profile "empty" in /home/me/.aws/credentials has no key',
    ],
  ])("are missing with %s, and it says what to do", ([, env, why]) => {
    const found = find(env);
    expect(found.kind === "missing" && found.why).toContain(why);
  });
});
