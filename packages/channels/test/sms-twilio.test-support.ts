// A stand-in of ours for Twilio's API, for what emulate lacks: files, refusals, lists of several pages, broken connections.
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Channel, ChannelConnection, WebhookAnswer } from "@chela/sdk";
import type { FakeHost } from "@chela/sdk/testing";
import { smsChannel } from "../src/sms/channel.ts";

export const SID = "AC0123456789abcdef0123456789abcdef";
export const TOKEN = "0123456789token";
export const OURS = "+15550001111";
export const PERSON = "+15551234567";
export const PATH = "/sms/webhook";
export const PUBLIC_URL = "https://bot.example.org/sms/webhook";
export const BASE = `/2010-04-01/Accounts/${SID}`;

export async function serveOn(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose](): Promise<void> {
      server.closeAllConnections();
      server.close();
      if (server.listening) await once(server, "close");
    },
  };
}

export async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of request as AsyncIterable<Uint8Array>) parts.push(part);
  return Buffer.concat(parts);
}

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly credentials: string | undefined;
  readonly fields: Record<string, string>;
}

export type Answer = (asked: Asked, response: ServerResponse) => void;

export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));
}

export const refuse =
  (status: number, code: number, headers: Record<string, string> = {}): Answer =>
  (_asked, response) =>
    json(response, { code, message: `secret words about ${PERSON}`, status }, status, headers);

const noMessages: Answer = (_asked, response) => json(response, { messages: [], next_page_uri: null });

/** Knows the account; what else it answers, by "METHOD /path below the account", says the test. */
export async function startTwilio() {
  const asked: Asked[] = [];
  const answers = new Map<string, Answer>([
    ["GET .json", (_asked, response) => json(response, { friendly_name: "Test", status: "active" })],
    ["GET /Messages.json", noMessages],
  ]);
  const server = await serveOn((request, response) => {
    void bytesOf(request).then((body) => {
      const url = new URL(request.url ?? "", "http://twilio");
      const method = request.method ?? "";
      const one: Asked = {
        method,
        path: url.pathname,
        query: url.searchParams,
        credentials: request.headers.authorization,
        fields: Object.fromEntries(new URLSearchParams(body.toString())),
      };
      asked.push(one);
      const answer = answers.get(`${method} ${url.pathname.replace(BASE, "")}`) ?? refuse(404, 20404);
      answer(one, response);
    });
  });
  return { ...server, asked, answers, posts: () => asked.filter(({ method }) => method === "POST") };
}

export function settingsFor(apiRoot: string, more: object = {}): object {
  return { accountSid: SID, authToken: TOKEN, from: OURS, publicUrl: PUBLIC_URL, apiRoot, ...more };
}

export function start(settings: object, host: FakeHost): Promise<ChannelConnection> {
  const channel = smsChannel as Channel;
  const configured = channel.configure(settings, () => undefined);
  if (configured.kind !== "configured") throw new Error(configured.why);
  return channel.start(configured.account, host);
}

export function sign(fields: Record<string, string>, url = PUBLIC_URL, token = TOKEN): string {
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}${fields[name]}`)
    .join("");
  return createHmac("sha1", token).update(`${url}${text}`).digest("base64");
}

export const said = (text: string, more: Record<string, string> = {}): Record<string, string> => ({
  AccountSid: SID,
  MessageSid: `SM${"1".repeat(32)}`,
  SmsStatus: "received",
  NumMedia: "0",
  From: PERSON,
  To: OURS,
  Body: text,
  ...more,
});

export function post(host: FakeHost, fields: Record<string, string>, signature = sign(fields)): Promise<WebhookAnswer> {
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-twilio-signature": signature };
  return host.call({ method: "POST", path: PATH, headers, body: Buffer.from(new URLSearchParams(fields).toString()) });
}

/** A message as Twilio's lists have it. */
export const listed = (digit: string, body: string, at: number, more: object = {}): object => ({
  sid: `SM${digit.repeat(32)}`,
  account_sid: SID,
  direction: "inbound",
  from: PERSON,
  to: OURS,
  body,
  num_media: "0",
  messaging_service_sid: null,
  date_created: new Date(at).toUTCString().replace("GMT", "+0000"),
  date_sent: new Date(at).toUTCString().replace("GMT", "+0000"),
  ...more,
});
