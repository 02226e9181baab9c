// One stream to the server: logs in, says when it ends, and asks questions.
import { defined } from "@chela/sdk/base";
import { GatewayError, type Clock, type Disconnect } from "@chela/sdk";
import type { Client, XmlElement } from "@xmpp/client";
import { errnoOf } from "@chela/sdk/files";
import { createAcknowledger, type Acknowledger } from "./acknowledge.ts";
import type { XmppAccount } from "../config.ts";
import { findEndpoints } from "./endpoints.ts";
import { insistOnTls } from "./insist-on-tls.ts";
import { useScram } from "./scram.ts";
import type { Credentials } from "../secrets.ts";
import type { WriteXml } from "./stanza.ts";
import { keepCharactersWhole } from "./whole-characters.ts";

export interface Stream extends Acknowledger {
  readonly xml: WriteXml;
  /** `node@domain/resource`, as the server gave it to us. */
  readonly fullJid: string;
  readonly ended: Promise<Disconnect>;
  readonly isOver: () => boolean;
  /** Resolves when it was handed to the network. */
  send(stanza: XmlElement): Promise<void>;
  /** The answer to a question; rejects with the library's error, whose `condition` says what is wrong. */
  ask(type: "get" | "set", question: XmlElement, to?: string, timeoutMs?: number): Promise<XmlElement>;
  listen(hear: (stanza: XmlElement) => void): void;
  end(why: Disconnect): void;
  close(): Promise<void>;
}

const CONNECT_MS = 20_000;
const CLOSE_MS = 3000;
const ASK_MS = 20_000;
const REFUSED_LOGINS = new Set([
  "not-authorized",
  "account-disabled",
  "credentials-expired",
  "invalid-authzid",
  "invalid-mechanism",
  "mechanism-too-weak",
  "malformed-request",
]);

export async function openStream(account: XmppAccount, credentials: Credentials, clock: Clock): Promise<Stream> {
  const endpoints = await findEndpoints(account);
  let failure: GatewayError | undefined;
  for (const service of endpoints) {
    try {
      return await openAt(service, account, credentials, clock);
    } catch (error) {
      failure = explain(error, service);
      if (failure.code === "CHANNEL_AUTH") throw failure;
    }
  }
  throw failure ?? new GatewayError("CHANNEL_OFFLINE", `${account.domain} has no XMPP server`);
}

async function openAt(
  service: string,
  { username, domain, resource }: XmppAccount,
  { password, ca }: Credentials,
  clock: Clock,
): Promise<Stream> {
  const { client: createClient, xml } = await import("@xmpp/client");
  const client = createClient({
    service,
    domain,
    username,
    password: password.reveal(),
    resource,
    timeout: CONNECT_MS,
  });
  client.reconnect.stop();
  useScram(client);
  keepCharactersWhole(client);
  insistOnTls(client, { domain, ca, xml });
  const acknowledger = createAcknowledger(client);
  const ended = Promise.withResolvers<Disconnect>();
  let reason: Disconnect | undefined;
  let isOver = false;
  client.on("error", (error) => (reason ??= reasonOf(error)));
  client.on("disconnect", () => {
    isOver = true;
    ended.resolve(reason ?? { why: "the connection to the server broke" });
  });
  await logIn(client, acknowledger.agreed, clock);
  const end = (why: Disconnect): void => {
    reason ??= why;
    void close();
  };
  const close = async (): Promise<void> => {
    if (isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(CLOSE_MS, resolve);
    await Promise.race([client.stop().catch(() => {}), promise]);
    cancel();
    destroySocket(client);
    isOver = true;
    ended.resolve(reason ?? { why: "closed" });
  };
  return {
    hold: acknowledger.hold,
    xml,
    fullJid: client.jid?.toString() ?? `${username}@${domain}/${resource}`,
    ended: ended.promise,
    isOver: () => isOver,
    send: (stanza) => client.send(stanza),
    ask: (type, question, to, timeoutMs = ASK_MS) =>
      client.iqCaller.request(xml("iq", { type, ...defined({ to }) }, question), timeoutMs),
    listen: (hear) => client.on("stanza", hear),
    end,
    close,
  };
}

async function logIn(client: Client, agreed: () => Promise<void>, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = clock.after(CONNECT_MS, () => late.reject(new Error("the server does not answer")));
  // Errors before the stream is open are told by an event only.
  const failed = new Promise<never>((_resolve, reject) => client.on("error", reject));
  failed.catch(() => {});
  late.promise.catch(() => {});
  try {
    await Promise.race([client.start(), failed, late.promise]);
    await Promise.race([agreed(), late.promise]);
  } catch (error) {
    destroySocket(client);
    throw error;
  } finally {
    cancel();
  }
}

/** The library closes only politely; whoever does not answer would keep the socket open. */
function destroySocket(client: Client): void {
  const { socket } = client as { socket: { destroy?(): void; socket?: { destroy?(): void } | null } | null };
  socket?.socket?.destroy?.();
  socket?.destroy?.();
}

interface LibraryError {
  readonly name?: unknown;
  readonly condition?: unknown;
}

/** What the library says of an error: its name and the protocol's own word. Its message may hold anything. */
function wordsOf(error: unknown): { name: string; condition: string } {
  const { name, condition } = (error ?? {}) as LibraryError;
  const word = typeof condition === "string" && /^[a-z-]{1,60}$/.test(condition) ? condition : "";
  return { name: typeof name === "string" ? name : "", condition: word };
}

function explain(error: unknown, service: string): GatewayError {
  if (GatewayError.is(error)) return error;
  const { name, condition } = wordsOf(error);
  const place = URL.parse(service)?.host ?? "the server";
  if (name === "SASLError" && (condition === "" || REFUSED_LOGINS.has(condition))) {
    const why = condition === "" ? "no way to log in that both sides know" : condition;
    return new GatewayError("CHANNEL_AUTH", `XMPP, ${place} says ${why}`);
  }
  return new GatewayError("CHANNEL_OFFLINE", `XMPP, ${place}: ${condition || networkReason(error)}`, { cause: error });
}

function networkReason(error: unknown): string {
  const code = errnoOf(error);
  if (code !== undefined && /CERT|SELF_SIGNED|ISSUER|ALTNAME|SIGNATURE/.test(code)) {
    return `its certificate is not accepted (${code})`;
  }
  if (code !== undefined) return code;
  const message = error instanceof Error ? error.message : "";
  return message.startsWith("the server ") ? message : "the connection failed";
}

function reasonOf(error: unknown): Disconnect {
  const { name, condition } = wordsOf(error);
  if (name !== "StreamError") return { why: `the connection broke (${condition || networkReason(error)})` };
  return {
    why: `the server ended the stream: ${condition}`,
    ...(condition === "conflict" ? { isConflict: true } : {}),
  };
}
