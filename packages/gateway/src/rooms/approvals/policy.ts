// Decides how strict to be with one command: every place that has a say can only narrow what the others allow.
import type { ExecAsk, ExecRequest, ExecSecurity } from "@chela/sdk";

/** What one place says. Values nobody knows are read as the strictest. */
export interface ExecRules {
  readonly security?: string | undefined;
  readonly ask?: string | undefined;
  /** What to do when nobody can be asked. */
  readonly askFallback?: string | undefined;
}

export interface ExecPolicy {
  readonly security: ExecSecurity;
  readonly ask: ExecAsk;
  readonly askFallback: "deny" | "allowlist";
}

const SECURITY_ORDER: readonly ExecSecurity[] = ["deny", "allowlist", "full"];
const ASK_ORDER: readonly ExecAsk[] = ["off", "on-miss", "always"];

export function decidePolicy(
  places: readonly ExecRules[],
  request: Pick<ExecRequest, "security" | "ask" | "elevated">,
): ExecPolicy {
  const configured = configure(places);
  const { security, ask } = elevate(configured, request.elevated);
  const { askFallback } = configured;
  return {
    security: strictestSecurity([security, request.security]) ?? security,
    ask: strictestAsk([ask, request.ask]) ?? ask,
    askFallback,
  };
}

function configure(places: readonly ExecRules[]): ExecPolicy {
  const fallbacks = places.map((place) => place.askFallback).filter((said) => said !== undefined);
  return {
    security: strictestSecurity(places.map((place) => place.security)) ?? "allowlist",
    ask: strictestAsk(places.map((place) => place.ask)) ?? "on-miss",
    // Silence is never a yes: "full" is read as "what the list allows".
    askFallback:
      fallbacks.length > 0 && fallbacks.every((said) => said === "allowlist" || said === "full") ? "allowlist" : "deny",
  };
}

/** An elevated session runs what it likes ("full") or what it is granted ("ask"); a place that says "deny" is not overruled. */
function elevate(policy: ExecPolicy, elevated: ExecRequest["elevated"]): Pick<ExecPolicy, "security" | "ask"> {
  if (elevated === undefined || policy.security === "deny") return policy;
  if (elevated === "full") return { security: "full", ask: "off" };
  return {
    security: policy.security,
    ask: policy.ask === "off" && policy.security === "allowlist" ? "on-miss" : policy.ask,
  };
}

function strictestSecurity(said: readonly (string | undefined)[]): ExecSecurity | undefined {
  return pick(said, SECURITY_ORDER, Math.min, "deny");
}

function strictestAsk(said: readonly (string | undefined)[]): ExecAsk | undefined {
  return pick(said, ASK_ORDER, Math.max, "always");
}

function pick<T extends string>(
  said: readonly (string | undefined)[],
  order: readonly T[],
  choose: (...ranks: number[]) => number,
  strictest: T,
): T | undefined {
  const words = said.filter((word) => word !== undefined);
  if (words.length === 0) return undefined;
  const known = words.map((word) => order.find((value) => value === word) ?? strictest);
  return order[choose(...known.map((value) => order.indexOf(value)))];
}
