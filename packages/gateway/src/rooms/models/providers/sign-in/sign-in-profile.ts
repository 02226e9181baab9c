// Makes a profile from the tokens of a sign-in, with whatever else its provider wants to be told in every call.
import * as z from "zod";
import { GatewayError, once, Secret, type Clock, type Parsed } from "@chela/sdk";
import type { HttpFetch } from "@chela/sdk/http";
import type { NewProfile } from "../../profiles/profile.ts";
import { endOfToken } from "../token-end.ts";
import { readResourceUrl } from "./resource-url.ts";
import type { SignIn } from "./sign-ins.ts";

export interface SignInParts {
  readonly fetch: HttpFetch;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Other addresses than the provider's. */
  readonly tokenUrl?: string;
  readonly codeUrl?: string;
  readonly codeAssistUrl?: string;
}

const TokenAnswer = once(() =>
  z.looseObject({
    access_token: z.string().min(1),
    refresh_token: z.string().min(1),
    expires_in: z.number().positive().nullish(),
    resource_url: z.string().nullish(),
  }),
);
export type Tokens = Parsed<typeof TokenAnswer>;

/** Throws MODEL_AUTH when there are none. */
export function readTokens(answer: unknown, name: string): Tokens {
  const parsed = TokenAnswer().safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new GatewayError("MODEL_AUTH", `the answer of ${name} holds no tokens`);
}

/** Throws MODEL_AUTH when the account cannot be used, MODEL_NETWORK when that cannot be found out. */
export async function toProfile(signIn: SignIn, tokens: Tokens, parts: SignInParts): Promise<NewProfile> {
  const access = new Secret(tokens.access_token);
  return {
    type: "oauth",
    provider: signIn.provider,
    access,
    refresh: new Secret(tokens.refresh_token),
    expires: endOfToken(tokens.expires_in, parts.clock),
    ...(await aboutAccount(signIn, tokens, access, parts)),
  };
}

async function aboutAccount({ provider }: SignIn, tokens: Tokens, access: Secret, parts: SignInParts) {
  if (provider === "google-gemini-cli") {
    const { findProject } = await import("./code-assist-project.ts");
    return { projectId: await findProject(access, parts) };
  }
  const accountId = provider === "openai-codex" ? accountIn(tokens.access_token) : undefined;
  const resourceUrl = readResourceUrl(tokens.resource_url);
  return { ...(accountId ? { accountId } : {}), ...(resourceUrl ? { resourceUrl } : {}) };
}

const Claims = once(() =>
  z.looseObject({ "https://api.openai.com/auth": z.looseObject({ chatgpt_account_id: z.string() }).optional() }),
);

/** OpenAI names the account inside of its token, and wants it named beside the token in every call. */
function accountIn(token: string): string | undefined {
  try {
    const claims = Claims().safeParse(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()));
    return claims.data?.["https://api.openai.com/auth"]?.chatgpt_account_id;
  } catch {
    return undefined;
  }
}
