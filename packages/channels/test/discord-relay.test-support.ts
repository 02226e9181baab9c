// Stands between the channel and the Discord peer: forwards everything, and adds what the peer lacks (interactions,
// resuming with replay, rate limits, close codes, routes it does not know). What it adds is a fixture of ours.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

export interface RelayedCall {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface RelayAnswer {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Breaks the connection instead of answering. */
  readonly isCut?: boolean;
}

type Rule = (call: RelayedCall) => RelayAnswer | undefined;

export interface DiscordRelay extends AsyncDisposable {
  readonly apiRoot: string;
  /** Every call the channel made. */
  readonly calls: readonly RelayedCall[];
  /** Answers instead of the peer; the last rule that has an answer counts. */
  answer(rule: Rule): void;
  /** The first call, earlier or later, that fits. */
  called(fits: (call: RelayedCall) => boolean): Promise<RelayedCall>;
  dispatch(type: string, data: unknown): void;
  /** Closes the gateway connection of the channel; what follows is kept for resuming. */
  disconnect(code: number): void;
  forgetSessions(): void;
  /** The next identification is answered with this close code. */
  refuse(code: number): void;
  readonly handshakes: ReadonlyArray<"identify" | "resume" | "refused">;
}

interface Session {
  readonly id: string;
  readonly upstream: WebSocket;
  readonly frames: string[];
  client: WebSocket | undefined;
}

export async function startRelay(peer: { baseUrl: string; gatewayUrl: string }): Promise<DiscordRelay> {
  const calls: RelayedCall[] = [];
  const rules: Rule[] = [];
  const waiting: Array<{ fits: (call: RelayedCall) => boolean; resolve: (call: RelayedCall) => void }> = [];
  const sessions = new Map<string, Session>();
  const handshakes: Array<"identify" | "resume" | "refused"> = [];
  const upstreams = new Set<WebSocket>();
  let refusal: number | undefined;

  const server = createServer((request, response) => void serve(request, response));
  const gateway = new WebSocketServer({ server });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const gatewayUrl = `ws://127.0.0.1:${port}/gateway`;

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const call = {
      method: request.method ?? "",
      path: request.url ?? "",
      body: bytes.toString(),
      headers: request.headers,
    };
    calls.push(call);
    const ruled = rules.findLast((rule) => rule(call) !== undefined)?.(call);
    if (ruled?.isCut) request.socket.destroy();
    else if (ruled) {
      const type = ruled.json === undefined ? {} : { "content-type": "application/json" };
      response.writeHead(ruled.status, { ...type, ...ruled.headers });
      response.end(ruled.json === undefined ? "" : JSON.stringify(ruled.json));
    } else await forward(call, bytes, response);
    for (const { fits, resolve } of waiting) if (fits(call)) resolve(call);
  };
  const forward = async (call: RelayedCall, bytes: Buffer, response: ServerResponse): Promise<void> => {
    const { authorization, "content-type": type } = call.headers;
    const answer = await fetch(peer.baseUrl + call.path, {
      method: call.method,
      headers: {
        ...(authorization ? { authorization: String(authorization) } : {}),
        ...(type ? { "content-type": String(type) } : {}),
      },
      ...(bytes.length > 0 ? { body: bytes } : {}),
    });
    const text = await answer.text();
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
    response.end(call.path.endsWith("/gateway/bot") ? text.replaceAll(peer.gatewayUrl, gatewayUrl) : text);
  };

  const give = (session: Session, type: string, data: unknown): void => {
    const frame = JSON.stringify({ op: 0, s: session.frames.length + 1, t: type, d: data });
    session.frames.push(frame);
    session.client?.send(frame);
  };
  const identify = (client: WebSocket, frame: string): void => {
    const upstream = new WebSocket(`${peer.gatewayUrl}?v=10&encoding=json`);
    upstreams.add(upstream);
    let session: Session | undefined;
    upstream.on("error", () => undefined);
    upstream.on("close", (code) => session?.client?.close(code) ?? client.close(code));
    upstream.on("message", (raw) => {
      const { op, t, d } = JSON.parse(String(raw)) as { op: number; t: string; d: { session_id: string } };
      if (op === 10) upstream.send(frame);
      if (op !== 0) return;
      if (t === "READY") {
        session = { id: d.session_id, upstream, frames: [], client };
        sessions.set(session.id, session);
      }
      if (session) give(session, t, t === "READY" ? { ...d, resume_gateway_url: gatewayUrl } : d);
    });
  };
  const resume = (client: WebSocket, asked: { session_id: string; seq: number }): boolean => {
    const session = sessions.get(asked.session_id);
    if (!session) return false;
    session.client = client;
    for (const frame of session.frames.slice(asked.seq)) client.send(frame);
    give(session, "RESUMED", {});
    return true;
  };
  gateway.on("connection", (client) => {
    client.on("error", () => undefined);
    client.send(JSON.stringify({ op: 10, d: { heartbeat_interval: 41_250 } }));
    client.on("message", (raw) => {
      const frame = String(raw);
      const { op, d } = JSON.parse(frame) as { op: number; d: { session_id: string; seq: number } };
      if (op === 1) client.send(JSON.stringify({ op: 11 }));
      if (op === 2) {
        handshakes.push("identify");
        if (refusal === undefined) identify(client, frame);
        else client.close(refusal);
        refusal = undefined;
      }
      if (op === 6) {
        const isResumed = resume(client, d);
        handshakes.push(isResumed ? "resume" : "refused");
        if (!isResumed) client.send(JSON.stringify({ op: 9, d: false }));
      }
    });
    client.on("close", () => {
      for (const session of sessions.values()) if (session.client === client) session.client = undefined;
    });
  });

  const live = (): Session[] => [...sessions.values()].filter(({ client }) => client !== undefined);
  return {
    apiRoot: `http://127.0.0.1:${port}/api`,
    calls,
    handshakes,
    answer: (rule) => void rules.push(rule),
    called: (fits) => {
      const earlier = calls.find(fits);
      return earlier ? Promise.resolve(earlier) : new Promise((resolve) => waiting.push({ fits, resolve }));
    },
    dispatch(type, data) {
      for (const session of live()) give(session, type, data);
    },
    disconnect(code) {
      for (const session of live()) {
        const { client } = session;
        session.client = undefined;
        client?.close(code);
      }
    },
    forgetSessions: () => sessions.clear(),
    refuse: (code) => void (refusal = code),
    async [Symbol.asyncDispose]() {
      for (const client of gateway.clients) client.terminate();
      for (const upstream of upstreams) upstream.terminate();
      gateway.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
