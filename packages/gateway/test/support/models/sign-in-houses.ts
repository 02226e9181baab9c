// Loopback servers for the sign-ins of Qwen and of the Gemini CLI. Each takes only what its API takes, and only from who proved it is them.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

interface Asked {
  readonly path: string;
  readonly bearer: string | undefined;
  readonly form: URLSearchParams;
  readonly json: Record<string, unknown>;
}

export interface House extends AsyncDisposable {
  readonly url: string;
  /** Everything that was asked, oldest first: the path, and by whom. */
  readonly asked: readonly Asked[];
}

type Answer = { readonly status?: number; readonly body: unknown } | { readonly stream: readonly object[] };

async function openHouse(answer: (asked: Asked, request: IncomingMessage, url: string) => Answer): Promise<House> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      const one: Asked = {
        path: request.url ?? "",
        bearer: request.headers.authorization?.replace(/^Bearer /, ""),
        form: new URLSearchParams(text.startsWith("{") ? "" : text),
        json: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {},
      };
      asked.push(one);
      const given = answer(one, request, url());
      if ("stream" in given) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const event of given.stream) response.write(`data: ${JSON.stringify(event)}\n\n`);
        return void response.end();
      }
      response.writeHead(given.status ?? 200, { "content-type": "application/json" }).end(JSON.stringify(given.body));
    });
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: url(),
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const refuse = (error: string, status = 400): Answer => ({ status, body: { error, error_description: error } });

/** What is asked for but not allowed, or missing. */
function strays(form: URLSearchParams, names: string): string | undefined {
  const allowed = names.split(" ");
  const wrong = [...form.keys()].find((name) => !allowed.includes(name)) ?? allowed.find((name) => !form.get(name));
  return wrong === undefined ? undefined : `invalid_request: ${wrong}`;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");

export interface QwenHouse extends House {
  /** Who is known at the moment. */
  readonly token: () => string;
}

/** `polls` is what the person makes of it: the answers to whoever asks for the token, the last one again and again. */
export async function openQwenHouse(
  polls: readonly ("pending" | "slow" | "denied" | "expired" | "approved")[],
): Promise<QwenHouse> {
  let challenge = "";
  let token = "";
  let poll = 0;
  const tokens = (url: string): Answer => {
    token = `qwen-access-${Number(token.split("-").at(-1) || 0) + 1}`;
    const refresh_token = token.replace("access", "refresh");
    return { body: { status: "success", access_token: token, refresh_token, expires_in: 3_600, resource_url: url } };
  };
  const giveToken = (form: URLSearchParams, url: string): Answer => {
    if (form.get("grant_type") === "refresh_token") {
      const wrong = strays(form, "grant_type refresh_token client_id");
      const isKnown = form.get("refresh_token") === token.replace("access", "refresh");
      return wrong ? refuse(wrong) : isKnown ? tokens(url) : refuse("invalid_grant");
    }
    const wrong = strays(form, "grant_type client_id device_code code_verifier");
    if (wrong || digest(form.get("code_verifier") ?? "") !== challenge) return refuse(wrong ?? "invalid_grant");
    const said = polls[Math.min(poll++, polls.length - 1)];
    if (said === "pending") return refuse("authorization_pending");
    if (said === "slow") return refuse("slow_down", 429);
    return said === "approved" ? tokens(url) : refuse(said === "denied" ? "access_denied" : "expired_token");
  };
  const house = await openHouse(({ path, bearer, form, json }, request, url) => {
    if (path === "/device/code") {
      const wrong = strays(form, "client_id scope code_challenge code_challenge_method");
      if (wrong) return refuse(wrong);
      challenge = form.get("code_challenge") ?? "";
      const place = "https://chat.qwen.example/authorize";
      return {
        body: {
          device_code: "device-1",
          user_code: "QW-34",
          verification_uri: place,
          verification_uri_complete: `${place}?user_code=QW-34`,
          expires_in: 900,
        },
      };
    }
    if (path === "/token") return giveToken(form, url);
    if (path !== "/v1/chat/completions") return refuse("not_found", 404);
    if (bearer !== token || request.headers["x-dashscope-authtype"] !== "qwen-oauth") return refuse("no token", 401);
    if (json["model"] !== "coder-model" || json["stream"] !== true) return refuse("bad request");
    const chunk = (delta: object, finish_reason: string | null) => ({
      id: "c1",
      object: "chat.completion.chunk",
      created: 0,
      model: "coder-model",
      choices: [{ index: 0, delta, finish_reason }],
    });
    return { stream: [chunk({ role: "assistant", content: `Qwen says hello to ${token}.` }, null), chunk({}, "stop")] };
  });
  return Object.assign(house, { token: () => token });
}

/** How Google finds the project of the account. */
export type GoogleAccount =
  | { readonly kind: "known"; readonly project: string }
  /** Never seen here: a project is made, which takes two looks. */
  | { readonly kind: "new"; readonly project: string }
  | { readonly kind: "ineligible"; readonly why: string };

export interface GoogleHouse extends House {
  /** The person agrees in the browser: what the page they end at is asked with. */
  agree(authorizeUrl: URL): string;
}

const REQUEST_FIELDS = ["contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "safetySettings"];

export async function openGoogleHouse(account: GoogleAccount): Promise<GoogleHouse> {
  let challenge = "";
  let redirect = "";
  let token = "";
  let looks = 0;
  const project = account.kind === "ineligible" ? "" : account.project;
  const giveToken = (form: URLSearchParams): Answer => {
    const isRefresh = form.get("grant_type") === "refresh_token";
    const wrong = isRefresh
      ? strays(form, "grant_type refresh_token client_id client_secret")
      : strays(form, "grant_type client_id client_secret code redirect_uri code_verifier");
    if (wrong) return refuse(wrong);
    const isTheirs = isRefresh
      ? form.get("refresh_token") === "1//google-refresh"
      : form.get("code") === "4/google-code" &&
        form.get("redirect_uri") === redirect &&
        digest(form.get("code_verifier") ?? "") === challenge;
    if (!isTheirs || !form.get("client_secret")?.startsWith("GOCSPX-")) return refuse("invalid_grant");
    token = isRefresh ? "ya29.second" : "ya29.first";
    // A renewed one comes without a refresh token: the old one stays good.
    return {
      body: { access_token: token, expires_in: 3_599, ...(isRefresh ? {} : { refresh_token: "1//google-refresh" }) },
    };
  };
  const done = { done: true, response: { cloudaicompanionProject: { id: project, name: project } } };
  const house = await openHouse(({ path, bearer, form, json }, request) => {
    if (path === "/token") return giveToken(form);
    if (bearer !== token || request.headers["x-goog-api-key"] !== undefined) return refuse("UNAUTHENTICATED", 401);
    switch (path) {
      case "/v1internal:loadCodeAssist":
        if (account.kind === "known")
          return { body: { currentTier: { id: "standard-tier" }, cloudaicompanionProject: project } };
        if (account.kind === "ineligible")
          return {
            body: { ineligibleTiers: [{ reasonCode: "UNSUPPORTED_CLIENT", reasonMessage: account.why }] },
          };
        return { body: { allowedTiers: [{ id: "free-tier", isDefault: true }] } };
      case "/v1internal:onboardUser":
        return json["tierId"] === "free-tier" && !("cloudaicompanionProject" in json)
          ? { body: { name: "operations/op-1" } }
          : refuse("FAILED_PRECONDITION");
      case "/v1internal/operations/op-1":
        return { body: ++looks > 1 ? done : { name: "operations/op-1" } };
      case "/v1internal:streamGenerateContent?alt=sse":
        return answerGemini(json, project, token);
      default:
        return refuse("NOT_FOUND", 404);
    }
  });
  return Object.assign(house, {
    agree(authorizeUrl: URL) {
      const asked = authorizeUrl.searchParams;
      challenge = asked.get("code_challenge") ?? "";
      redirect = asked.get("redirect_uri") ?? "";
      return `${redirect}?state=${asked.get("state")}&code=4/google-code&scope=x`;
    },
  });
}

function answerGemini(json: Record<string, unknown>, project: string, token: string): Answer {
  const { model, project: named, request, ...more } = json;
  const fields = Object.keys(request ?? {});
  const isGood =
    Object.keys(more).length === 0 && named === project && fields.every((name) => REQUEST_FIELDS.includes(name));
  if (!isGood || typeof model !== "string") {
    return { status: 400, body: { error: { code: 400, message: `not taken: ${fields.join()}`, status: "INVALID" } } };
  }
  const event = (text: string, more: object) => ({
    response: { candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, ...more }] },
    traceId: "t1",
  });
  return { stream: [event("Gemini says hello ", {}), event(`to ${token}.`, { finishReason: "STOP" })] };
}
