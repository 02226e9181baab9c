// One connected account: how it starts, listens and ends.
import { GatewayError, type ChannelConnection, type ChannelHost, type Disconnect } from "@chela/sdk";
import type { HttpResponse } from "@chela/sdk/http";
import { idsOf, readNumber, type Person } from "./address.ts";
import { capabilitiesOf } from "./capabilities.ts";
import type { SignalAccount } from "./config.ts";
import { endedEarly, startDaemon } from "./daemon.ts";
import { openInbound, type Inbound } from "./inbound.ts";
import type { Program } from "./program.ts";
import { RecentWords } from "./recent-words.ts";
import { openRpc, type SignalRpc } from "./rpc.ts";
import { editMessage, sendMessage, type SendParts } from "./send.ts";
import { readEvents } from "./sse.ts";
import { Accounts, UserStatus } from "./wire.ts";

const SELF_UUID = "self-uuid";

export async function connect(account: SignalAccount, host: ChannelHost): Promise<ChannelConnection> {
  const rpc = openRpc(account.daemonUrl, host.clock);
  let program: Program | undefined;
  const over = new AbortController();
  try {
    if (account.daemon) program = await startDaemon(account.daemon, rpc, host);
    else if (!(await rpc.isThere())) {
      throw new GatewayError("CHANNEL_OFFLINE", "signal-cli does not answer at the address in httpUrl");
    }
    const number = await findAccount(rpc, account.number);
    const us = await recogniseUs(rpc, number, host);
    const stream = await rpc.listen(number, over.signal);
    return open({ account, host, rpc, program, over, us, stream });
  } catch (error) {
    over.abort();
    rpc.close();
    await program?.stop();
    throw error;
  }
}

/** A daemon for one account does not list accounts; then it is this one. */
async function findAccount(rpc: SignalRpc, wanted: string | undefined): Promise<string | undefined> {
  const outcome = await rpc.call("listAccounts", {});
  const read = Accounts().safeParse(outcome.kind === "done" ? outcome.result : undefined);
  if (!read.success) return wanted;
  const numbers = read.data.map(({ number }) => number);
  if (wanted === undefined && numbers.length === 1) return numbers[0];
  if (wanted === undefined) {
    throw new GatewayError("CHANNEL_SETTINGS", "signal-cli has several accounts or none: set channels.signal.account");
  }
  if (numbers.includes(wanted)) return wanted;
  throw new GatewayError("CHANNEL_AUTH", `signal-cli does not have the account ${wanted}; link it first`);
}

/** Who we are: the number that was configured or that messages come for, and the uuid once it is known. */
class Us {
  number: string | undefined;
  uuid: string | undefined;

  constructor(number: string | undefined, uuid: string | undefined) {
    this.number = number;
    this.uuid = uuid;
  }

  is(person: Person): boolean {
    const ours = idsOf(this);
    return idsOf(person).some((id) => ours.includes(id));
  }

  /** A daemon may serve several accounts. */
  isAddressee(account: string): boolean {
    this.number ??= readNumber(account);
    return this.is({ number: account, uuid: account });
  }

  get report(): Readonly<Record<string, string>> {
    const { number, uuid } = this;
    return { ...(number ? { number } : {}), ...(uuid ? { id: `uuid:${uuid}` } : {}) };
  }
}

async function recogniseUs(rpc: SignalRpc, number: string | undefined, host: ChannelHost): Promise<Us> {
  const us = new Us(number, await host.recall(SELF_UUID));
  if (us.uuid !== undefined || number === undefined) return us;
  const outcome = await rpc.call("getUserStatus", { account: number, recipient: [number] }, { timeoutMs: 10_000 });
  const read = UserStatus().safeParse(outcome.kind === "done" ? outcome.result : undefined);
  const uuid = read.success ? read.data[0]?.uuid : undefined;
  if (!uuid) return us;
  us.uuid = uuid.toLowerCase();
  await host.remember(SELF_UUID, us.uuid).catch(() => {});
  return us;
}

interface Opened {
  readonly account: SignalAccount;
  readonly host: ChannelHost;
  readonly rpc: SignalRpc;
  readonly program: Program | undefined;
  readonly over: AbortController;
  readonly us: Us;
  readonly stream: HttpResponse;
}

function open({ account, host, rpc, program, over, us, stream }: Opened): ChannelConnection {
  const recent = new RecentWords();
  const reader = {
    isUs: (person: Person) => us.is(person),
    isAddressee: (account: string) => us.isAddressee(account),
    nameOf: (id: string) => recent.nameOf(id),
    takesAttachments: account.takesAttachments,
  };
  const inbound = openInbound(host, reader, recent);
  const parts: SendParts = { rpc, account, recent, number: () => us.number };
  const listening = listen(stream, inbound, host, over.signal);
  const exit = program?.ended.then((end): Disconnect => ({ why: endedEarly(end).detail }));
  const ended = Promise.race(exit ? [listening, exit] : [listening]).then((end) => {
    if (!over.signal.aborted) host.report({ connected: false, lastError: end.why });
    return end;
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    over.abort();
    await listening;
    await inbound.stop();
    rpc.close();
    await program?.stop();
    host.report({ connected: false });
  };
  host.report({ linked: true, connected: true, self: us.report });
  host.alive();
  return {
    ended,
    close: () => (closing ??= close()),
    send: (message, signal) =>
      sendMessage(parts, message, signal).catch((error: unknown) => {
        host.log.error("sending failed in a way nobody foresaw", { error });
        return { kind: "failed", reason: "uncertain", why: "sending failed in a way nobody foresaw" };
      }),
    edit: (target, messageId, markdown) => editMessage(parts, target, messageId, markdown),
    ...capabilitiesOf(parts, () => us.report),
  };
}

async function listen(
  stream: HttpResponse,
  inbound: Inbound,
  host: ChannelHost,
  signal: AbortSignal,
): Promise<Disconnect> {
  // What was read already is taken also when there is no room and the connection closes.
  const closing = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  try {
    for await (const frame of readEvents(stream.chunks(), () => host.alive())) {
      await Promise.race([inbound.take(frame), closing]);
    }
    return { why: "signal-cli ended the stream of messages" };
  } catch {
    return { why: signal.aborted ? "closed" : "the connection to signal-cli broke" };
  }
}
