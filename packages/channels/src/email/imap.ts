// Opens connections to the IMAP server, and says in our words why that failed.
import { ImapFlow } from "imapflow";
import { GatewayError } from "@chela/sdk";
import { errnoOf } from "@chela/sdk/files";
import type { Access } from "./credentials.ts";

/** No answer of the server is larger: parts of mails are fetched in pieces. */
const MOST_RESPONSE_BYTES = 64 * 1024 * 1024;
/** Listens again this soon after a command. */
const IDLE_AFTER_MS = 50;

export async function openImap(access: Access): Promise<ImapFlow> {
  const { host, port, tls, user, password, ca } = access;
  const client = new ImapFlow({
    host,
    port,
    secure: tls === true,
    doSTARTTLS: tls === true ? undefined : tls === "starttls",
    auth: { user, pass: password.reveal() },
    ...(ca === undefined ? {} : { tls: { ca } }),
    logger: false,
    clientInfo: { name: "Chela" },
    disableCompression: true,
    autoIdleDelay: IDLE_AFTER_MS,
    connectionTimeout: 20_000,
    greetingTimeout: 15_000,
    socketTimeout: 60_000,
    maxResponseSize: MOST_RESPONSE_BYTES,
    maxLiteralSize: MOST_RESPONSE_BYTES / 2,
  });
  // What goes wrong also ends the connection, and that is looked for.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (cause) {
    client.close();
    throw explain(cause, host);
  }
}

function explain(cause: unknown, host: string): GatewayError {
  const { authenticationFailed, serverResponseCode } = cause as {
    authenticationFailed?: boolean;
    serverResponseCode?: string;
  };
  if (authenticationFailed && serverResponseCode !== "UNAVAILABLE") {
    return new GatewayError("CHANNEL_AUTH", `the IMAP server ${host} refused user name or password`, { cause });
  }
  const reason = errnoOf(cause) ?? "no reason given";
  return new GatewayError("CHANNEL_OFFLINE", `the IMAP server ${host} cannot be reached (${reason})`, { cause });
}
