// Finds the Google Cloud project that a Google account has for Gemini Code Assist, which every call names; the first time it is made.
import * as z from "zod";
import { GatewayError, once, type Parsed, type Secret } from "@chela/sdk";
import type { HttpResponse } from "@chela/sdk/http";
import { CODE_ASSIST_URL } from "../../known-providers.ts";
import type { SignInParts } from "./sign-in-profile.ts";

const TIMEOUT_MS = 30_000;
/** Making a project takes some seconds. */
const PAUSE_MS = 5_000;
const MOST_LOOKS = 24;
const FREE_TIER = "free-tier";
/** For accounts that name a project of their own. */
const OWN_PROJECT_TIER = "legacy-tier";
/** What the API wants to know of whoever asks; it has no word for programs like this one. */
const ASKED_BY = { ideType: "IDE_UNSPECIFIED", platform: "PLATFORM_UNSPECIFIED", pluginType: "GEMINI" };

const Loaded = once(() =>
  z.looseObject({
    currentTier: z.looseObject({}).nullish(),
    allowedTiers: z.array(z.looseObject({ id: z.string(), isDefault: z.boolean().nullish() })).nullish(),
    ineligibleTiers: z
      .array(z.looseObject({ reasonMessage: z.string().nullish(), validationUrl: z.string().nullish() }))
      .nullish(),
    cloudaicompanionProject: z.string().nullish(),
  }),
);
const Operation = once(() =>
  z.looseObject({
    name: z.string().nullish(),
    done: z.boolean().nullish(),
    response: z.looseObject({ cloudaicompanionProject: z.looseObject({ id: z.string() }).nullish() }).nullish(),
  }),
);

/** Throws MODEL_AUTH when the account is not served, MODEL_NETWORK when Google cannot be asked. */
export async function findProject(access: Secret, parts: SignInParts): Promise<string> {
  const own = parts.env["GOOGLE_CLOUD_PROJECT"] || parts.env["GOOGLE_CLOUD_PROJECT_ID"] || undefined;
  const about = own === undefined ? {} : { cloudaicompanionProject: own };
  const metadata = own === undefined ? ASKED_BY : { ...ASKED_BY, duetProject: own };
  const loaded = read(Loaded, await ask(access, "v1internal:loadCodeAssist", { ...about, metadata }, parts));
  const found = loaded.currentTier ? loaded.cloudaicompanionProject : await begin(access, loaded, own, parts);
  const project = found || own;
  if (project !== undefined) return project;
  throw new GatewayError("MODEL_AUTH", whyNotServed(loaded));
}

/** An account that was never here is entered, which makes a project for those that have none. */
async function begin(
  access: Secret,
  loaded: Parsed<typeof Loaded>,
  own: string | undefined,
  parts: SignInParts,
): Promise<string | undefined> {
  const tierId = loaded.allowedTiers?.find(({ isDefault }) => isDefault)?.id ?? OWN_PROJECT_TIER;
  // The free tier refuses a project that is named.
  const isNamed = tierId !== FREE_TIER && own !== undefined;
  if (tierId !== FREE_TIER && own === undefined) return undefined;
  const request = {
    tierId,
    ...(isNamed ? { cloudaicompanionProject: own } : {}),
    metadata: isNamed ? { ...ASKED_BY, duetProject: own } : ASKED_BY,
  };
  let operation = read(Operation, await ask(access, "v1internal:onboardUser", request, parts));
  for (let look = 0; !operation.done && operation.name && look < MOST_LOOKS; look++) {
    await new Promise<void>((resolve) => parts.clock.after(PAUSE_MS, resolve));
    operation = read(Operation, await ask(access, `v1internal/${operation.name}`, undefined, parts));
  }
  return operation.response?.cloudaicompanionProject?.id;
}

function whyNotServed({ ineligibleTiers }: Parsed<typeof Loaded>): string {
  const reason = ineligibleTiers?.find(({ reasonMessage }) => reasonMessage);
  if (!reason?.reasonMessage) {
    return "this account has no project for Gemini Code Assist; put the id of one into the environment as GOOGLE_CLOUD_PROJECT";
  }
  const where = reason.validationUrl ? ` (${reason.validationUrl.slice(0, 300)})` : "";
  return `Google does not serve this account: ${reason.reasonMessage.slice(0, 300).replace(/\.\s*$/, "")}${where}`;
}

/** Posts a question, or looks at an operation when there is none. */
async function ask(access: Secret, path: string, question: object | undefined, parts: SignInParts): Promise<unknown> {
  const { fetch, clock, codeAssistUrl = CODE_ASSIST_URL } = parts;
  const late = new AbortController();
  const cancel = clock.after(TIMEOUT_MS, () => late.abort());
  try {
    const response = await fetch(`${codeAssistUrl}/${path}`, {
      headers: { authorization: `Bearer ${access.reveal()}`, "content-type": "application/json" },
      ...(question ? { method: "POST", body: JSON.stringify(question) } : {}),
      signal: late.signal,
    });
    return await readAnswer(response);
  } catch (error) {
    if (GatewayError.is(error)) throw error;
    throw new GatewayError("MODEL_NETWORK", `Google at ${new URL(codeAssistUrl).host}`, { cause: error });
  } finally {
    cancel();
  }
}

async function readAnswer(response: HttpResponse): Promise<unknown> {
  if (response.ok) return response.json().catch(() => undefined);
  response.discard();
  throw new GatewayError("MODEL_AUTH", `Google answered ${response.status} when it was asked for the project`);
}

function read<T extends z.ZodType>(schema: () => T, answer: unknown): z.output<T> {
  const parsed = schema().safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new GatewayError("MODEL_AUTH", "Google's answer about the project cannot be understood");
}
