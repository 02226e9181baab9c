// Answers requests to webhooks. Who sent one is settled before it is read, and it is accepted only when it is written down.
import { createHash } from "node:crypto";
import { mainSessionKey, OPEN_ERRANDS, type Errand, type Logger } from "@chela/sdk";
import { isSameText } from "@chela/sdk/signing";
import type { House } from "../../house/house.ts";
import { answerJson, answerText, type HookAnswer, type HookCall } from "./call.ts";
import { believers, chooseMapping, mappingsAt, type Candidate } from "./mapping/choose-mapping.ts";
import { greetingFor } from "./greeting.ts";
import type { Mapping } from "./mapping/mapping.ts";
import { prepareMapped, prepareOwn, type Preparation, type Prepared, type PrepareParts } from "./prepare.ts";
import { readPayload } from "./mapping/read-payload.ts";
import type { HookRules } from "./read-rules.ts";
import { doubtOfHead } from "./signature.ts";

/** What of the house webhooks live on. */
export type WebhooksHouse = Pick<House, "clock" | "ids" | "keys" | "placeFor" | "wake"> & {
  readonly log: Logger;
  readonly errands: Pick<House["errands"], "begin">;
  readonly ledger: Pick<House["ledger"], "countErrands" | "errands">;
};

export interface WebhookParts extends PrepareParts {
  rules(): HookRules;
}

/** Of one mapping: whoever sends faster than agents work is asked to wait. */
const MOST_OPEN = 5_000;
const WAIT_SECONDS = 60;
const NOT_FOUND = answerText(404, "Not Found");
const WRONG_SIGNATURE = "its signature is missing or wrong";
const TOKEN_IN_ADDRESS =
  "Send the token in a header (Authorization: Bearer <token>, or X-OpenClaw-Token), not in the address.";

export function createReceiver(house: WebhooksHouse, parts: WebhookParts): (call: HookCall) => Promise<HookAnswer> {
  const { log, clock, ledger, errands } = house;

  async function receive(call: HookCall): Promise<HookAnswer> {
    const rules = parts.rules();
    if (call.url.searchParams.has("token")) return answerText(400, TOKEN_IN_ADDRESS);
    const own = call.path === "wake" || call.path === "agent" ? call.path : undefined;
    const here = own ? [] : mappingsAt(rules.mappings, call.path);
    const isSigned = here.some(({ signature }) => signature);
    const needsToken = here.length === 0 || here.some(({ signature }) => !signature);
    if (!isSigned && !rules.token) {
      log.warn("a webhook was not taken", { path: call.path, from: call.from, why: rules.tokenProblem });
      return NOT_FOUND;
    }
    const token = needsToken && rules.token ? checkToken(call, rules.token.reveal(), isSigned) : "wrong";
    if (typeof token === "object") return token;
    if (!own && here.length === 0) return NOT_FOUND;
    if (token !== "right") {
      const doubts = here.flatMap(({ signature }) => (signature ? [doubtOfHead(call, signature, clock.now())] : []));
      if (!doubts.includes(undefined)) return refuse(call, WRONG_SIGNATURE);
    }
    const body = await call.body(rules.maxBodyBytes);
    if (own) return answerOwn(own, call, body, rules);
    const candidates = believers(here, { headers: call.headers, body }, clock.now(), token === "right");
    if (candidates.length === 0) return refuse(call, WRONG_SIGNATURE);
    return answerMapped(candidates, call, body, rules);
  }

  /** Where a signature may prove the request as well, a missing token is no failure yet. */
  function checkToken(call: HookCall, token: string, maySign: boolean): "right" | "wrong" | HookAnswer {
    const given = tokenOf(call.headers);
    if (maySign && given === undefined) return "wrong";
    const attempt = call.attempt();
    if (attempt.kind === "limited") return maySign ? "wrong" : tooMany(attempt.retryAfterMs);
    if (given !== undefined && isSameText(sha256(given), sha256(token))) {
      attempt.succeed();
      return "right";
    }
    attempt.fail();
    if (maySign) return "wrong";
    log.warn("a webhook was refused: its token is missing or wrong", { path: call.path, from: call.from });
    return answerText(401, "Unauthorized");
  }

  function refuse(call: HookCall, why: string): HookAnswer {
    const attempt = call.attempt();
    if (attempt.kind === "limited") return tooMany(attempt.retryAfterMs);
    attempt.fail();
    log.warn(`a webhook was refused: ${why}`, { path: call.path, from: call.from });
    return answerText(401, "Unauthorized");
  }

  async function answerOwn(
    action: "wake" | "agent",
    call: HookCall,
    body: Uint8Array,
    rules: HookRules,
  ): Promise<HookAnswer> {
    const read = readPayload(body, call.headers["content-type"]);
    if (read.kind === "unreadable") return answerJson(400, { ok: false, error: read.why });
    const { path, url, headers } = call;
    return carryOn(prepareOwn(action, { path, url, headers, body, payload: read.payload }, rules, house, parts), call);
  }

  async function answerMapped(
    candidates: readonly Candidate[],
    call: HookCall,
    body: Uint8Array,
    rules: HookRules,
  ): Promise<HookAnswer> {
    const { path, url, headers } = call;
    const read = readPayload(body, headers["content-type"]);
    if (read.kind === "unreadable") return answerJson(400, { ok: false, error: read.why });
    const { payload } = read;
    const chosen = chooseMapping(candidates, payload);
    if (!chosen) return NOT_FOUND;
    const greeting = greetingFor(chosen.mapping.signature?.type, payload, headers);
    if (greeting) return { status: 200, ...greeting };
    return carryOn(
      await prepareMapped(chosen, { path, url, headers, body, payload }, rules, house, parts),
      call,
      chosen.mapping,
    );
  }

  async function carryOn(prepared: Preparation, call: HookCall, mapping?: Mapping): Promise<HookAnswer> {
    switch (prepared.kind) {
      case "dropped":
        log.info("a webhook was dropped by its transform", { hook: mapping?.id });
        return answerText(204, "");
      case "refused":
        log.warn("a webhook cannot be carried out", { path: call.path, hook: mapping?.id, why: prepared.error });
        return answerJson(400, { ok: false, error: prepared.error });
      case "failed":
        log.error("a webhook could not be transformed", { hook: mapping?.id, why: prepared.why });
        return answerJson(500, { ok: false, error: "hook mapping failed" });
      case "prepared":
        return accept(prepared);
    }
  }

  async function accept(prepared: Prepared): Promise<HookAnswer> {
    const { runId, owner, plan } = prepared;
    try {
      const waiting = await ledger.countErrands({ kind: "hook", owner, states: OPEN_ERRANDS });
      if (waiting >= MOST_OPEN) return overfull(owner);
      const isNew = await errands.begin(await errandOf(prepared));
      log.info(isNew ? "webhook accepted" : "webhook came again", { hook: owner, run: runId });
      const more = { runId, ...(isNew ? {} : { duplicate: true }) };
      if (plan.kind === "wake") return answerJson(200, { ok: true, mode: plan.mode, ...more });
      return answerJson(200, { ok: true, ...more });
    } catch (error) {
      log.error("a webhook could not be written down", { hook: owner, error: String(error) });
      return answerJson(503, { ok: false, error: "It could not be written down. Send it again later." });
    }
  }

  function overfull(owner: string): HookAnswer {
    log.warn("a webhook was not taken: too many of its mapping are waiting", { hook: owner, waiting: MOST_OPEN });
    const answer = answerJson(429, { ok: false, error: "Too many of these are waiting. Send it again later." });
    return { ...answer, headers: { "retry-after": String(WAIT_SECONDS) } };
  }

  async function errandOf({ runId, owner, plan, text, isTrusted }: Prepared): Promise<Errand> {
    const { agentId, name } = plan;
    const now = clock.now();
    const base = { runId, kind: "hook" as const, owner, agentId, dueAt: now, createdAt: now };
    const about = { action: plan.kind, name, text, isTrusted };
    if (plan.kind === "wake") {
      return { ...base, sessionKey: mainSessionKey(agentId, house.keys()), work: { ...about, wakeMode: plan.mode } };
    }
    const { sessionKey, place, wakeMode, model, thinking, timeoutSeconds, tools } = plan;
    const delivery = place && (await house.placeFor(agentId, place));
    const work = { ...about, wakeMode, model, thinking, timeoutSeconds, tools };
    return { ...base, sessionKey, work, ...(delivery ? { delivery } : {}) };
  }

  return receive;
}

function tooMany(retryAfterMs: number): HookAnswer {
  return answerText(429, "Too Many Requests", { "retry-after": String(Math.max(1, Math.ceil(retryAfterMs / 1000))) });
}

function tokenOf(headers: HookCall["headers"]): string | undefined {
  const bearer = /^Bearer\s+(\S+)\s*$/i.exec(headers["authorization"] ?? "")?.[1];
  return bearer ?? (headers["x-openclaw-token"]?.trim() || undefined);
}

/** Of equal length, whatever was guessed. */
function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
