// Failures between a command and its gateway, in words.
import { CommandFailure } from "@chela/sdk/command-line";
import type { ErrorShape } from "@chela/sdk/protocol";

interface Attempt {
  readonly url: string;
  readonly isLocal: boolean;
}

export const WRONG_CERTIFICATE = "it is another one than gateway.remote.tlsFingerprint names";

/** The gateway answered no. */
export function refusal(method: string, { error, payload }: { error?: ErrorShape; payload?: unknown }): CommandFailure {
  const message = error?.message ?? "the gateway sent a refusal without a reason";
  const details = error?.details as { fix?: string } | undefined;
  const kind = method === "connect" ? "refused" : "call";
  // Some say it within the sentence.
  const fix = details?.fix !== undefined && message.includes(details.fix) ? undefined : details?.fix;
  return new CommandFailure(kind, message, { fix, details: payload ?? error?.details });
}

export function noGateway({ url, isLocal }: Attempt): CommandFailure {
  const place = placeOf(url);
  return isLocal
    ? new CommandFailure("no-gateway", `No gateway answers at ${place}: start it with \`chela gateway run\``)
    : new CommandFailure(
        "no-gateway",
        `No gateway answers at ${place}: check the address, and that the gateway runs there`,
      );
}

export function openFailure(options: Attempt, error: NodeJS.ErrnoException): CommandFailure {
  const absent = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT", "ECONNRESET"];
  if (absent.includes(error.code ?? "") || error.message.includes("handshake has timed out")) return noGateway(options);
  if (error.message === WRONG_CERTIFICATE || /CERT|SELF_SIGNED|UNABLE_TO_/.test(error.code ?? "")) {
    const why = error.message === WRONG_CERTIFICATE ? error.message : (error.code ?? error.message);
    return new CommandFailure("refused", `The certificate of ${placeOf(options.url)} is not trusted: ${why}`, {
      fix: "If it is the right one: chela config set gateway.remote.tlsFingerprint <its SHA-256 fingerprint>",
    });
  }
  return strange(options.url, error.message);
}

function placeOf(url: string): string {
  return url.replace(/\/$/, "");
}

export function strange(url: string, why: string): CommandFailure {
  return new CommandFailure("no-gateway", `Something answers at ${placeOf(url)}, but it is no gateway: ${why}.`);
}

export function lost(url: string, reason: string): CommandFailure {
  return new CommandFailure("lost", `The connection to ${placeOf(url)} was lost${reason ? ` (${reason})` : ""}.`);
}

export function timedOut(method: string, ms: number): CommandFailure {
  return new CommandFailure("timeout", `The gateway did not answer ${method} within ${ms} ms.`, {
    fix: "Try again with a longer --timeout; `chela logs` tells more.",
  });
}
