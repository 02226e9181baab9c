// Crabline's WhatsApp server: people who write to us over its wire protocol, and what we wrote to them.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWhatsAppServer } from "@openclaw/crabline";
import { BufferJSON, initAuthCreds } from "baileys";

export const PERSON = "15551234567";
const OURS = "15550000000";

interface Recorded {
  readonly type: string;
  readonly method: string;
  readonly path: string;
  readonly accepted?: boolean;
  readonly body: unknown;
}

export interface Crabline extends AsyncDisposable {
  /** Through a wire that can be cut. */
  readonly settings: { readonly waWebSocketUrl: string };
  /** Straight to the server, which files are fetched from, too. */
  readonly straight: { readonly waWebSocketUrl: string };
  /** What a linked account has on its disk. */
  link(directory: string): void;
  say(body: Record<string, unknown>): Promise<void>;
  /** Texts we sent, in order. */
  heard(count: number): Promise<readonly string[]>;
  /** Everything the server noted that fits; waits until there are `count`. */
  recorded(fits: (event: Recorded) => boolean, count: number): Promise<readonly Recorded[]>;
  cut(): void;
}

export async function startCrabline(): Promise<Crabline> {
  const directory = mkdtempSync(join(tmpdir(), "chela-crabline-"));
  const events: Recorded[] = [];
  const waiting: Array<() => void> = [];
  const server = await startWhatsAppServer({
    host: "127.0.0.1",
    port: 0,
    recorderPath: join(directory, "whatsapp.jsonl"),
    selfJid: `${OURS}@s.whatsapp.net`,
    onEvent: (event) => {
      events.push(event as unknown as Recorded);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  const { endpoints, adminToken, selfJid } = server.manifest;
  const relay = await startRelay(Number(new URL(server.manifest.baseUrl).port));
  const recorded: Crabline["recorded"] = async (fits, count) => {
    for (;;) {
      const found = events.filter(fits);
      if (found.length >= count) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const address = new URL(endpoints.baileysWebSocketUrl);
  address.port = String(relay.port);
  return {
    settings: { waWebSocketUrl: address.href },
    straight: { waWebSocketUrl: endpoints.baileysWebSocketUrl },
    link(target) {
      const creds = { ...initAuthCreds(), registered: true, me: { id: selfJid.replace("@", ":1@"), name: "bot" } };
      writeFileSync(join(target, "creds.json"), JSON.stringify(creds, BufferJSON.replacer));
    },
    async say(body) {
      const answer = await fetch(endpoints.adminInboundUrl, {
        method: "POST",
        headers: { "content-type": "application/json", "x-crabline-admin-token": adminToken },
        body: JSON.stringify({ chatJid: `${PERSON}@s.whatsapp.net`, senderJid: `${PERSON}@s.whatsapp.net`, ...body }),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    recorded,
    async heard(count) {
      const found = await recorded((event) => textOf(event) !== undefined, count);
      return found.map((event) => textOf(event) ?? "");
    },
    cut: () => relay.cut(),
    async [Symbol.asyncDispose]() {
      relay.close();
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function textOf({ type, method, body }: Recorded): string | undefined {
  if (type !== "api" || method !== "WEBSOCKET") return undefined;
  return (body as { message?: { conversation?: string } }).message?.conversation;
}

/** A wire between us and the server that can be cut. */
async function startRelay(to: number): Promise<{ port: number; cut(): void; close(): void }> {
  const ends = new Set<Socket>();
  const server: Server = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    for (const end of [near, far]) {
      ends.add(end);
      end.on("error", () => undefined);
      end.on("close", () => (ends.delete(end), near.destroy(), far.destroy()));
    }
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => ends.forEach((end) => end.destroy());
  return { port: (server.address() as AddressInfo).port, cut, close: () => (cut(), void server.close()) };
}
