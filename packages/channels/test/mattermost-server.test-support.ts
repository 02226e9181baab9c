// A Mattermost server for tests: crabline's, and before it a fixture of ours that adds what crabline has not got.
// Of crabline: login, socket, posts, threads, edits, deletes, direct channels, users. Of the fixture: `props` of posts, reading
// a channel's posts, patching, reactions, files, the list of our channels, searching people, and whatever events a test hands in.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startMattermostServer } from "@openclaw/crabline";
import { WebSocket, WebSocketServer } from "ws";

export interface KnownPost {
  readonly id: string;
  readonly channel_id: string;
  readonly user_id: string;
  readonly message: string;
  readonly create_at: number;
  readonly root_id: string;
  readonly props?: Record<string, unknown>;
  readonly [more: string]: unknown;
}

export interface MattermostPeer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly botToken: string;
  readonly botUserId: string;
  readonly posts: readonly KnownPost[];
  /** Requests the fixture answered or passed on, as `METHOD path`. */
  readonly requests: readonly string[];
  readonly said: ReadonlyArray<Record<string, unknown>>;
  /** Somebody writes; the post as the server keeps it. */
  post(message: {
    sender: string;
    name?: string;
    text: string;
    channel?: string;
    type?: string;
    root?: string;
  }): Promise<KnownPost>;
  /** Hands an event of any kind to us, as the server would. */
  tell(event: string, data: Record<string, unknown>, channelId: string): void;
  /** The next event is lost on the way. */
  loseNext(): void;
  /** Cuts every socket. */
  cut(): void;
  /** The next request that fits is answered so. */
  answerOnce(fits: RegExp, status: number, headers?: Record<string, string>): void;
  putFile(id: string, bytes: Buffer): void;
  readonly files: ReadonlyMap<string, Buffer>;
  until(isTrue: () => boolean): Promise<void>;
}

/** An id as the server makes them: 26 letters and digits. */
export const idOf = (name: string): string => createHash("sha256").update(name).digest("hex").slice(0, 26);

export async function openMattermost(): Promise<MattermostPeer> {
  const home = mkdtempSync(join(tmpdir(), "chela-mattermost-"));
  const server = await startMattermostServer({ host: "127.0.0.1", port: 0, recorderPath: join(home, "record.jsonl") });
  const { manifest } = server;
  const posts: KnownPost[] = [];
  const requests: string[] = [];
  const said: Array<Record<string, unknown>> = [];
  const files = new Map<string, Buffer>();
  const reactions: Array<Record<string, unknown>> = [];
  const watchers = new Set<() => void>();
  const bridges = new Set<{ near: WebSocket; seq: number }>();
  let refusal: { fits: RegExp; status: number; headers: Record<string, string> } | undefined;
  let isLosing = false;
  const changed = (): void => {
    for (const look of watchers) look();
  };
  const keep = (post: KnownPost): KnownPost => {
    posts.push(post);
    changed();
    return post;
  };
  const emit = (bridge: { near: WebSocket; seq: number }, frame: Record<string, unknown>): void => {
    const { seq } = bridge;
    bridge.seq += 1;
    if (isLosing) isLosing = false;
    else bridge.near.send(JSON.stringify({ ...frame, seq }));
  };

  const own: Record<string, (body: Buffer, url: URL, match: RegExpExecArray) => unknown> = {
    "GET /channels/([^/]+)/posts": (_body, url, match) => {
      const since = Number(url.searchParams.get("since") ?? 0);
      const found = posts.filter(({ channel_id: id, create_at: at }) => id === match[1] && at > since);
      return listOf(found.slice(-Number(url.searchParams.get("per_page") ?? 1000)));
    },
    "GET /posts/([^/]+)/thread": (_body, _url, match) =>
      listOf(posts.filter(({ id, root_id: root }) => id === match[1] || root === match[1])),
    "GET /posts/([^/]+)": (_body, _url, match) => posts.find(({ id }) => id === match[1]),
    "POST /reactions": (body) => {
      const reaction = JSON.parse(String(body)) as Record<string, unknown>;
      reactions.push(reaction);
      return reaction;
    },
    "DELETE /users/[^/]+/posts/([^/]+)/reactions/([^/]+)": (_body, _url, match) => {
      const index = reactions.findIndex(({ post_id: id, emoji_name: name }) => id === match[1] && name === match[2]);
      reactions.splice(index, 1);
      return { status: "OK" };
    },
    "GET /posts/([^/]+)/reactions": (_body, _url, match) => reactions.filter(({ post_id: id }) => id === match[1]),
    "GET /files/([^/]+)": (_body, _url, match) => files.get(match[1] ?? ""),
    "POST /files": (body) => {
      const id = idOf(`file-${files.size}`);
      files.set(id, body);
      return { file_infos: [{ id }] };
    },
    "POST /users/search": (body) => [
      { id: idOf("alice"), username: (JSON.parse(String(body)) as { term: string }).term },
    ],
  };

  const passOn = async (request: IncomingMessage, body: Buffer): Promise<Response> => {
    const patch = /^\/api\/v4\/posts\/([^/]+)\/patch$/.exec(request.url ?? "");
    const given =
      body.length > 0 && /json/.test(request.headers["content-type"] ?? "") ? JSON.parse(String(body)) : undefined;
    // crabline wants words in every post.
    if (request.url === "/api/v4/posts" && given?.message === "") given.message = "(a file)";
    return fetch(manifest.baseUrl + (patch ? `/api/v4/posts/${patch[1]}` : request.url), {
      method: request.method ?? "GET",
      headers: { authorization: request.headers.authorization ?? "", "content-type": "application/json" },
      ...(given === undefined ? {} : { body: JSON.stringify(given) }),
    });
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray());
    const url = new URL(request.url ?? "/", "http://fixture");
    const line = `${request.method} ${url.pathname.replace("/api/v4", "")}`;
    requests.push(line);
    if (refusal?.fits.test(line)) {
      const { status, headers } = refusal;
      refusal = undefined;
      response.writeHead(status, headers).end(JSON.stringify({ id: "api.fixture.app_error", status_code: status }));
      return changed();
    }
    for (const [pattern, make] of Object.entries(own)) {
      const match = new RegExp(`^${pattern}$`).exec(line);
      if (!match || request.headers.authorization !== `Bearer ${manifest.botToken}`) continue;
      const made = make(body, url, match);
      response.writeHead(made === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(Buffer.isBuffer(made) ? made : JSON.stringify(made ?? {}));
      return changed();
    }
    const passed = await passOn(request, body);
    const text = await passed.text();
    if (line === "POST /posts" && passed.ok) {
      const { props, file_ids } = JSON.parse(String(body)) as Record<string, unknown>;
      keep({
        ...(JSON.parse(text) as KnownPost),
        ...(props ? { props: props as Record<string, unknown> } : {}),
        file_ids,
      });
    }
    response.writeHead(passed.status, { "content-type": "application/json" }).end(text);
    changed();
  };

  const sockets = new WebSocketServer({ noServer: true });
  const http = createServer((request, response) => void answer(request, response));
  http.on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (near) => {
      const far = new WebSocket(manifest.endpoints.websocketUrl);
      const bridge = { near, seq: 0 };
      bridges.add(bridge);
      const waiting: string[] = [];
      near.on("message", (raw) => {
        const frame = JSON.parse(String(raw)) as Record<string, unknown>;
        said.push(frame);
        changed();
        if (far.readyState === WebSocket.OPEN) far.send(String(raw));
        else waiting.push(String(raw));
      });
      far.on("open", () => waiting.forEach((text) => far.send(text)));
      far.on("message", (raw) => {
        const frame = JSON.parse(String(raw)) as Record<string, unknown>;
        if ("event" in frame) emit(bridge, frame);
        else near.send(String(raw));
      });
      far.on("error", () => near.terminate());
      far.on("close", (code, why) => near.close(code >= 4000 ? code : 1001, why));
      near.on("close", () => {
        bridges.delete(bridge);
        far.close();
      });
    }),
  );
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    botToken: manifest.botToken,
    botUserId: manifest.botUserId,
    posts,
    requests,
    said,
    files,
    async post({ sender, name, text, channel, type, root }) {
      const response = await fetch(manifest.endpoints.adminInboundUrl, {
        method: "POST",
        headers: { "content-type": "application/json", "x-crabline-admin-token": manifest.adminToken },
        body: JSON.stringify({
          senderId: idOf(sender),
          senderName: name ?? sender,
          text,
          ...(channel ? { channelId: idOf(channel), channelType: type ?? "O" } : {}),
          ...(root ? { rootId: root } : {}),
        }),
      });
      const { post, error } = (await response.json()) as { post?: KnownPost; error?: string };
      if (!post) throw new Error(`crabline refused the post: ${error}`);
      return keep(post);
    },
    tell(event, data, channelId) {
      for (const bridge of bridges) emit(bridge, { event, data, broadcast: { channel_id: channelId } });
    },
    loseNext: () => void (isLosing = true),
    cut() {
      for (const { near } of bridges) near.terminate();
    },
    answerOnce: (fits, status, headers = {}) => void (refusal = { fits, status, headers }),
    putFile: (id, bytes) => void files.set(id, bytes),
    async until(isTrue) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = (): void => void (isTrue() && resolve());
      watchers.add(look);
      look();
      await promise;
      watchers.delete(look);
    },
    async [Symbol.asyncDispose]() {
      for (const { near } of bridges) near.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      await server.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function listOf(posts: readonly KnownPost[]): unknown {
  return {
    order: posts.map(({ id }) => id).toReversed(),
    posts: Object.fromEntries(posts.map((post) => [post.id, post])),
  };
}
