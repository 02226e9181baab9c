// Links an account with a telephone: by a picture to scan, or by a code to type.
import type { WASocket } from "baileys";
import { GatewayError, type ChannelHost } from "@chela/sdk";
import { AuthFiles } from "./auth-files.ts";
import type { WhatsAppAccount } from "../config.ts";
import { LINKED_AT } from "../connect.ts";
import { reasonOf, RESTART_REQUIRED, statusOf, TIMED_OUT, toFailure } from "./disconnects.ts";
import { loadLibrary } from "./library.ts";
import { watchSocket } from "./wait-for-open.ts";
import { openSocket } from "./socket.ts";

/** WhatsApp asks for new connections while linking: one after it is done, and now and then one more. */
const MOST_CONNECTIONS = 5;

export async function linkAccount(account: WhatsAppAccount, host: ChannelHost, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const library = await loadLibrary();
  const auth = await AuthFiles.open(account.authDirectory ?? host.directory, library, host.log);
  if (auth.isLinked) return host.link({ kind: "linked" });
  // A link that was begun and not finished leaves half of its keys.
  await auth.forget();
  for (let attempt = 0; attempt < MOST_CONNECTIONS; attempt++) {
    const socket = openSocket({ library, account, auth, log: host.log });
    const end = await linkOnce(socket, account, host, signal);
    await auth.flush();
    if (end === "linked") {
      await host.remember(LINKED_AT, String(host.clock.now()));
      return host.link({ kind: "linked" });
    }
    if (end === "restart") continue;
    await auth.forget();
    throw end;
  }
  throw new GatewayError("CHANNEL_OFFLINE", "WhatsApp asked for a new connection again and again");
}

async function linkOnce(
  socket: WASocket,
  account: WhatsAppAccount,
  host: ChannelHost,
  signal: AbortSignal,
): Promise<"linked" | "restart" | GatewayError> {
  const { opened, closed } = watchSocket(socket);
  const stop = (): void => void socket.end(undefined);
  signal.addEventListener("abort", stop, { once: true });
  showSteps(socket, account, host);
  try {
    return await Promise.race([opened.then(() => "linked" as const), closed.then((error) => endOf(error, signal))]);
  } catch (error) {
    return endOf(error, signal);
  } finally {
    signal.removeEventListener("abort", stop);
    await socket.end(undefined);
  }
}

function endOf(error: unknown, signal: AbortSignal): "restart" | GatewayError {
  if (signal.aborted) return new GatewayError("CHANNEL_OFFLINE", "linking was stopped");
  const status = statusOf(error);
  if (status === RESTART_REQUIRED) return "restart";
  if (status === TIMED_OUT) return new GatewayError("CHANNEL_OFFLINE", "nobody linked the account in time; try again");
  return toFailure(reasonOf(error));
}

/** WhatsApp hands out pictures, each for a short time, until somebody links; a code is asked for once. */
function showSteps(socket: WASocket, { phoneNumber }: WhatsAppAccount, host: ChannelHost): void {
  let isAsked = false;
  socket.ev.on("connection.update", ({ qr }) => {
    if (!qr) return;
    if (!phoneNumber) return host.link({ kind: "qr", text: qr });
    if (isAsked) return;
    isAsked = true;
    void askForCode(socket, phoneNumber, host);
  });
}

async function askForCode(socket: WASocket, phoneNumber: string, host: ChannelHost): Promise<void> {
  try {
    const code = await socket.requestPairingCode(phoneNumber);
    const hint = "On the telephone: Settings, Linked devices, Link a device, Link with phone number instead.";
    host.link({ kind: "code", code: `${code.slice(0, 4)}-${code.slice(4)}`, hint });
  } catch (error) {
    host.log.warn("WhatsApp gave no code", { status: statusOf(error) });
    await socket.end(error instanceof Error ? error : undefined);
  }
}
