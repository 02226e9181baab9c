// The wire: opens a TCP or TLS connection and cuts what comes into lines.
import { isUtf8 } from "node:buffer";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";

export interface LinkOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsOptions | undefined;
  readonly timeoutMs: number;
  onLine(text: string): void;
  /** Once, when nothing more will come. */
  onEnd(why: string): void;
}

export interface TlsOptions {
  readonly ca: string | undefined;
  /** SHA-256 of the server's certificate in lower-case hexadecimal; takes the place of every other check. */
  readonly fingerprint: string | undefined;
  readonly clientCertificate: { readonly cert: string; readonly key: string } | undefined;
}

export interface Link {
  write(line: string): void;
  /** Sends what was written, then ends. */
  end(): void;
  destroy(): void;
}

/** With tags a line may be 8191 + 512 bytes long; what is longer is nobody's message. */
const LONGEST_LINE = 16_384;

export async function openLink(options: LinkOptions): Promise<Link> {
  const socket = options.tls ? await connectTls(options, options.tls) : await connectTcp(options);
  let why = "the server closed the connection";
  socket.on("error", (error) => (why = `the connection broke (${errnoOf(error) ?? "unknown error"})`));
  socket.on("close", () => options.onEnd(why));
  socket.on("data", createLineCutter(options.onLine));
  return {
    write: (line) => void (socket.writable && socket.write(`${line}\r\n`)),
    end: () => void socket.end(),
    destroy: () => void socket.destroy(),
  };
}

async function connectTcp(options: LinkOptions): Promise<Socket> {
  const socket = connectPlain({ host: options.host, port: options.port });
  await opened(socket, "connect", options);
  return socket;
}

async function connectTls(options: LinkOptions, tls: TlsOptions): Promise<TLSSocket> {
  const { connect } = await import("node:tls");
  const socket = connect({
    host: options.host,
    port: options.port,
    ...(isIP(options.host) ? {} : { servername: options.host }),
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...tls.clientCertificate,
    // A pinned certificate is compared below, before anything is written.
    rejectUnauthorized: tls.fingerprint === undefined,
  });
  await opened(socket, "secureConnect", options);
  if (tls.fingerprint !== undefined && fingerprintOf(socket) !== tls.fingerprint) {
    socket.destroy();
    throw new GatewayError(
      "CHANNEL_OFFLINE",
      `the certificate of ${options.host} is not the one in tlsFingerprint; check with the network whether it was renewed`,
    );
  }
  return socket;
}

function fingerprintOf(socket: TLSSocket): string {
  return (socket.getPeerCertificate().fingerprint256 ?? "").replaceAll(":", "").toLowerCase();
}

async function opened(socket: Socket, event: "connect" | "secureConnect", options: LinkOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (detail: string, cause?: unknown): void => {
    socket.destroy();
    reject(new GatewayError("CHANNEL_OFFLINE", `${options.host}:${options.port}: ${detail}`, { cause }));
  };
  const onError = (error: Error): void => fail(explain(error), error);
  const onClose = (): void => fail("the server closed the connection at once");
  socket.setTimeout(options.timeoutMs, () => fail("no answer"));
  socket.once(event, resolve).once("error", onError).once("close", onClose);
  try {
    await promise;
  } finally {
    socket.setTimeout(0);
    socket.removeAllListeners("timeout").off("error", onError).off("close", onClose);
    // An error that is still on its way must not bring the process down.
    socket.on("error", () => {});
  }
}

const UNTRUSTED = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
]);

function explain(error: Error): string {
  const code = errnoOf(error) ?? "unknown error";
  if (UNTRUSTED.has(code)) {
    return "its certificate is signed by nobody this machine trusts; set tlsCa to a file with the signer's certificate, or tlsFingerprint to the SHA-256 of the server's own";
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "its certificate is for another name; check host";
  if (code === "CERT_HAS_EXPIRED") return "its certificate has expired";
  if (code.startsWith("ERR_SSL")) return "it does not speak TLS on this port; check port and tls";
  return `cannot connect (${code})`;
}

/** Lines in UTF-8, or in the old Western encoding where they are not that. What is too long is passed over. */
function createLineCutter(onLine: (text: string) => void): (bytes: Buffer) => void {
  let kept: Buffer[] = [];
  let size = 0;
  return (bytes) => {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      const line = Buffer.concat([...kept, bytes.subarray(from, end)]);
      const isWhole = size + end - from <= LONGEST_LINE;
      kept = [];
      size = 0;
      from = end + 1;
      if (isWhole) onLine(decode(line).replace(/\r$/, ""));
    }
    size += bytes.length - from;
    if (size <= LONGEST_LINE) kept.push(bytes.subarray(from));
    else kept = [];
  };
}

function decode(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
}
