// Webhooks of every way to sign, with a gateway around them that takes whatever they accept.
import { Secret } from "@chela/sdk";
import type { HookAnswer } from "../../packages/gateway/src/rooms/webhooks/call.ts";
import type { SignatureType } from "../../packages/gateway/src/rooms/webhooks/mapping/mapping.ts";
import { signCall } from "../../packages/gateway/src/rooms/webhooks/signature.ts";
import { AT, openWorld, withToken } from "../../packages/gateway/src/rooms/webhooks/webhook-world.test-support.ts";

const TYPES: readonly SignatureType[] = ["github", "stripe", "slack", "sentry", "standard", "chela", "generic"];
export const SCHEMES: readonly string[] = [...TYPES, "token", "agent", "wake"];
const SECRET = "the-secret-of-the-mapping";

export interface HookWorld {
  post(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<HookAnswer>;
  /** As its sender would send it. */
  postSigned(scheme: string, body: string, type: string): Promise<HookAnswer>;
  /** Those that were accepted since the last look. */
  takeErrands(): readonly { readonly text: string; readonly sessionKey: string }[];
  close(): void;
}

/** The path of a scheme's mapping; anything else is a path nobody has. */
export function mapping(scheme: string): string {
  return SCHEMES.includes(scheme) ? scheme : "nowhere";
}

export function openHooks(): HookWorld {
  const world = openWorld({
    mappings: [
      ...TYPES.map((type) => ({
        id: type,
        match: { path: type },
        ...(["github", "stripe", "sentry", "generic"].includes(type) ? { preset: type } : {}),
        messageTemplate: "{{payload}} {{messages[0].id}} {{headers.x-github-event}} {{query.a}}",
        sessionKey: "hook:{{payload.id}}",
        signature: { type, secret: SECRET },
      })),
      { id: "token", match: { path: "token" }, action: "wake" as const, textTemplate: "{{text}}", to: "{{to}}" },
    ],
  });
  return {
    post: (path, body, headers) => world.post(path, { body, headers }),
    postSigned(scheme, body, type) {
      const signature = { secret: new Secret(SECRET), header: undefined, toleranceSeconds: 300 };
      const isSigned = TYPES.find((one) => one === scheme);
      const proof = isSigned ? signCall(Buffer.from(body), { ...signature, type: isSigned }, AT, "1") : withToken;
      return world.post(mapping(scheme), { body, headers: { ...proof, "content-type": type } });
    },
    takeErrands() {
      world.log.length = 0;
      world.guesses.length = 0;
      return world.errands
        .splice(0)
        .map(({ work, sessionKey = "" }) => ({ text: String((work as { text?: unknown }).text), sessionKey }));
    },
    close: () => world[Symbol.dispose](),
  };
}
