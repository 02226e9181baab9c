// A person in a room of crabline, a server of the client API that others wrote.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMatrixServer } from "@openclaw/crabline";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly body: Record<string, unknown>;
}

export interface Inbound {
  readonly roomId: string;
  readonly senderId: string;
  readonly text: string;
  readonly senderName?: string;
  readonly direct?: boolean;
  readonly threadId?: string;
}

export async function startCrabline() {
  const directory = mkdtempSync(join(tmpdir(), "chela-crabline-"));
  const calls: Call[] = [];
  const waiting: Array<() => void> = [];
  const server = await startMatrixServer({
    host: "127.0.0.1",
    recorderPath: join(directory, "calls.jsonl"),
    onEvent: (event) => {
      calls.push(event as unknown as Call);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  const { manifest } = server;
  return {
    baseUrl: manifest.baseUrl,
    botUserId: manifest.botUserId,
    settings: { homeserver: manifest.baseUrl, accessToken: manifest.accessToken },
    /** Resolves with the event as the server made it. */
    async inject(inbound: Inbound): Promise<{ event_id: string }> {
      const response = await fetch(manifest.endpoints.adminInboundUrl, {
        method: "POST",
        headers: { authorization: `Bearer ${manifest.adminToken}`, "content-type": "application/json" },
        body: JSON.stringify(inbound),
      });
      if (!response.ok) throw new Error(`crabline refused: ${await response.text()}`);
      return ((await response.json()) as { event: { event_id: string } }).event;
    },
    /** Calls whose path fits; waits until there are at least `count`. */
    async called(fits: RegExp, count: number): Promise<readonly Call[]> {
      for (;;) {
        const found = calls.filter(({ method, path }) => fits.test(`${method} ${path}`));
        if (found.length >= count) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    /** Everything in a room as the server has it. */
    async timeline(roomId: string): Promise<Array<{ type: string; sender: string; content: Record<string, unknown> }>> {
      const response = await fetch(`${manifest.endpoints.syncUrl}?timeout=0`, {
        headers: { authorization: `Bearer ${manifest.accessToken}` },
      });
      const sync = (await response.json()) as {
        rooms: { join: Record<string, { timeline: { events: never[] } } | undefined> };
      };
      return sync.rooms.join[roomId]?.timeline.events ?? [];
    },
    async close() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
