// One connection to the SMTP server, kept for the mails that follow, with an exact answer to what became of each mail.
import { Readable } from "node:stream";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import { GatewayError, type Clock, OneAtATime } from "@chela/sdk";
import type { Access } from "./credentials.ts";

export type Delivery =
  | { readonly kind: "accepted" }
  /** The server said no, and the mail is not sent. */
  | { readonly kind: "refused"; readonly refusal: Refusal }
  /** The connection broke; `wasComplete` when the server had the whole mail by then and may have taken it. */
  | { readonly kind: "lost"; readonly wasComplete: boolean; readonly why: string };

export interface Refusal {
  readonly code: number;
  /** Such as `5.1.1`. */
  readonly enhanced?: string;
  /** At which command. */
  readonly command: string;
  readonly says: string;
}

const REST_MS = 30_000;

export class Smtp {
  readonly #access: Access;
  readonly #clock: Clock;
  readonly #turns = new OneAtATime();
  #open: SMTPConnection | undefined;
  #cancelRest = (): void => {};
  #isOver = false;

  constructor(access: Access, clock: Clock) {
    this.#access = access;
    this.#clock = clock;
  }

  /** Logs in, to know that we may. Rejects with CHANNEL_AUTH or CHANNEL_OFFLINE. */
  async check(): Promise<void> {
    try {
      await this.#turns.run("", () => this.#connection());
      this.#rest();
    } catch (cause) {
      const delivery = describe(cause, false);
      const { host } = this.#access;
      if (delivery.kind === "refused" && isLoginRefused(delivery.refusal)) {
        throw new GatewayError("CHANNEL_AUTH", `the SMTP server ${host} refused user name or password`, { cause });
      }
      const why = delivery.kind === "refused" ? delivery.refusal.says : delivery.why;
      throw new GatewayError("CHANNEL_OFFLINE", `the SMTP server ${host} cannot be used (${why})`, { cause });
    }
  }

  send(from: string, to: string, mail: Buffer, signal: AbortSignal): Promise<Delivery> {
    return this.#turns.run("", async () => {
      const wasOpen = this.#open !== undefined && !this.#open.destroyed;
      const first = await this.#attempt(from, to, mail, signal);
      // Servers hang up on those who are silent; that shows only when one speaks again.
      const isStale = wasOpen && first.kind === "lost" && !first.wasComplete && !signal.aborted;
      return isStale ? this.#attempt(from, to, mail, signal) : first;
    });
  }

  close(): void {
    this.#isOver = true;
    this.#hangUp();
  }

  async #attempt(from: string, to: string, mail: Buffer, signal: AbortSignal): Promise<Delivery> {
    if (signal.aborted) return { kind: "lost", wasComplete: false, why: "it was given up" };
    const hangUp = (): void => this.#hangUp();
    signal.addEventListener("abort", hangUp, { once: true });
    let wasComplete = false;
    try {
      const connection = await this.#connection();
      const body = Readable.from(
        chunksOf(mail, () => (wasComplete = true)),
        { objectMode: false },
      );
      await transmit(connection, { from, to: [to], size: mail.length }, body);
      return { kind: "accepted" };
    } catch (error) {
      const delivery = describe(error, wasComplete);
      if (delivery.kind === "lost" || delivery.refusal.code === 421) this.#hangUp();
      return delivery;
    } finally {
      signal.removeEventListener("abort", hangUp);
      this.#rest();
    }
  }

  async #connection(): Promise<SMTPConnection> {
    this.#cancelRest();
    if (this.#isOver) throw new GatewayError("CHANNEL_OFFLINE", "the account was stopped");
    if (this.#open && !this.#open.destroyed) return this.#open;
    const { host, port, tls, user, password, ca } = this.#access;
    const connection = new SMTPConnection({
      host,
      port,
      secure: tls === true,
      requireTLS: tls === "starttls",
      ignoreTLS: tls === false,
      ...(ca === undefined ? {} : { tls: { ca } }),
      connectionTimeout: 20_000,
      greetingTimeout: 20_000,
      socketTimeout: 60_000,
      logger: false,
    });
    // An error nobody listens for would end the process.
    connection.on("error", () => {});
    this.#open = connection;
    await logIn(connection, user, password.reveal());
    return connection;
  }

  #rest(): void {
    this.#cancelRest();
    this.#cancelRest = this.#clock.after(REST_MS, () => this.#hangUp());
  }

  #hangUp(): void {
    this.#cancelRest();
    this.#open?.close();
    this.#open = undefined;
  }
}

/** Also rejects when the connection breaks or is closed, which the library tells in different ways. */
function untilDone(connection: SMTPConnection, work: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const onEnd = (): void => settle(new Error("the connection was closed"));
    const settle = (error?: Error | null): void => {
      connection.off("end", onEnd);
      connection.off("error", settle);
      if (error) reject(error);
      else resolve();
    };
    connection.on("error", settle);
    connection.on("end", onEnd);
    work(settle);
  });
}

async function logIn(connection: SMTPConnection, user: string, pass: string): Promise<void> {
  try {
    await untilDone(connection, (done) => connection.connect(done));
    await untilDone(connection, (done) => connection.login({ user, pass }, done));
  } catch (error) {
    connection.close();
    throw error;
  }
}

function transmit(
  connection: SMTPConnection,
  envelope: { from: string; to: string[]; size: number },
  body: Readable,
): Promise<void> {
  return untilDone(connection, (done) => connection.send(envelope, body, (error) => done(error)));
}

const CHUNK_BYTES = 64 * 1024;

/** Tells when the last byte was taken: before that no server can take the mail for whole. */
function* chunksOf(mail: Buffer, taken: () => void): Generator<Buffer> {
  for (let at = 0; at < mail.length; at += CHUNK_BYTES) {
    if (at + CHUNK_BYTES >= mail.length) taken();
    yield mail.subarray(at, at + CHUNK_BYTES);
  }
}

interface SmtpError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

function describe(error: unknown, wasComplete: boolean): Exclude<Delivery, { kind: "accepted" }> {
  const { code, originalCode, response, responseCode, command = "" } = error as SmtpError;
  if (responseCode !== undefined && response !== undefined) {
    const enhanced = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1];
    const says = response
      .replace(/[\p{C}\s]+/gu, " ")
      .trim()
      .slice(0, 200)
      .toWellFormed();
    return { kind: "refused", refusal: { code: responseCode, command, says, ...(enhanced ? { enhanced } : {}) } };
  }
  if (code === "EMESSAGE") {
    return {
      kind: "refused",
      refusal: { code: 552, command: "DATA", says: "the mail is larger than the server takes" },
    };
  }
  return { kind: "lost", wasComplete, why: originalCode ?? code ?? "the connection was closed" };
}

export function isLoginRefused({ code, command }: Refusal): boolean {
  return code >= 500 && (command.startsWith("AUTH") || code === 530 || code === 534 || code === 535);
}
