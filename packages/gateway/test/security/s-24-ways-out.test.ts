// S-24: every way out of the program is known, and what a model or a caller names is fetched by the one that checks.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { textOf, type ToolResultMessage } from "@chela/sdk";
import { callTools, say } from "@chela/sdk/testing";
import { openChannelStage } from "../support/stages/channel-stage.ts";
import { listProgramSources } from "../support/security/program-sources.ts";
import { countCases } from "../support/security/security-cases.ts";
import { SMALL_PNG } from "../support/durability/small-files.ts";

/** Modules of Node's that speak to the network, fetched as values. */
const BUILTIN =
  /(?:^import (?!type\b)(?!\{ (?:type \w+, )*(?:isIP|isIPv4|BlockList)\b[^}]*\} from).*from |getBuiltinModule\([^)]*|\bimport\(|\brequire\()["'](?:node:)?(?:http|https|http2|net|tls|dgram|dns|dns\/promises|quic)["']/m;
/** Clients that need no import. */
const PLATFORM =
  /globalThis\.fetch\(|\bwindow\.fetch\(|new (?:WebSocket|EventSource|XMLHttpRequest)\(|navigator\.sendBeacon/;
/** Our own three, where one is made. */
const OURS = /\bcreate(?:Http|Safe|Guarded)Fetch\(/;
/** Libraries that connect by themselves. */
const LIBRARY =
  /(?:^import (?!type\b).*from |\bimport\()["'](?:ws|undici|nodemailer|imapflow|grammy|baileys|tdl|@xmpp\/|@slack\/|@discordjs\/|@ai-sdk\/|matrix|@matrix)[^"']*["']/m;

/** Who may, and where it leads. What is new in here needs a reason, or `createSafeFetch`. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  // The ways themselves.
  "packages/gateway/src/base/http/safe-fetch-connect.ts": "connects to addresses that were checked",
  "packages/gateway/src/base/http/safe-fetch-target.ts": "looks names up, once for each hop",
  "packages/gateway/src/base/http/safe-fetch.ts": "the one for addresses somebody else chose",
  "packages/gateway/src/base/http/guarded-fetch.ts": "the same for channels, with the origins of their settings",
  "packages/sdk/src/http/http-fetch.ts": "for addresses of the operator's; follows no redirects",
  "packages/gateway/src/base/http/carry-over.ts": "carries one request over a connection that was checked",
  "packages/sdk/src/http/transport.ts": "carries one request for all of these; follows no redirects",
  // What a model or a caller names: checked.
  "packages/gateway/src/rooms/tools/image/image-tool.ts": "web_fetch, web_search, image: the one that checks",
  "packages/gateway/src/rooms/tools/web/web-tools.ts": "web_fetch, web_search, image: the one that checks",
  "packages/gateway/src/flow/messages/open-messages.ts": "files of messages: the one that checks",
  "packages/gateway/src/house/open-channels.ts": "what channels fetch: the one that checks",
  "packages/gateway/src/house/credentials/stored-credentials.ts": "whether a service takes a key: the one that checks",
  "packages/gateway/src/flow/own-work/cron.ts": "pages the operator wrote down: the one that checks, no redirects",
  "packages/gateway/src/house/open-memory.ts":
    "vectors of a service the owner named: the one that checks, no redirects",
  "packages/gateway/src/rooms/sandbox/proxy/carry.ts": "a sandbox's way out, over a connection that was checked",
  "packages/gateway/src/rooms/sandbox/proxy/filtering-proxy.ts": "a sandbox's way out; listens on a socket file",
  "packages/plugin-host/src/program.ts": "inside a plugin's walls: joins loopback with the socket of the proxy",
  "packages/plugin-host/src/api/http.ts": "inside a plugin: names of status codes alone",
  // Models, at the address of the configuration or the catalogue.
  "packages/gateway/src/rooms/models/room.ts": "models at their configured address; no redirects",
  "packages/gateway/src/rooms/models/providers/anthropic-messages.ts": "a library that is handed our fetch",
  "packages/gateway/src/rooms/models/providers/google-generative-ai.ts": "a library that is handed our fetch",
  "packages/gateway/src/rooms/models/providers/openai/openai-responses.ts": "a library that is handed our fetch",
  "packages/gateway/src/house/open-media.ts": "transcription at its configured address; no redirects",
  "packages/gateway/src/cli/commands/memory-model.ts": "the pinned model, when the owner asks for it",
  "packages/gateway/src/cli/models/commands/login.ts": "signing in at a provider, by the person at the keyboard",
  "packages/gateway/src/cli/models/commands/login-github.ts": "logging in at GitHub, by the person at the keyboard",
  // Channels, at their platform or at the address of their settings.
  "packages/channel-matrix/src/api.ts": "the homeserver of the settings; a redirect is an error",
  "packages/channel-matrix/src/crypto/machine.ts": "mathematics only: connects to nothing",
  "packages/channel-whatsapp/src/link/library.ts": "WhatsApp's own servers",
  "packages/channels/src/discord/api.ts": "Discord's own servers; no redirects",
  "packages/channels/src/discord/connect.ts": "Discord's own servers",
  "packages/channels/src/email/compose.ts": "puts mails together: connects to nothing",
  "packages/channels/src/email/imap.ts": "the mail server of the settings",
  "packages/channels/src/email/smtp.ts": "the mail server of the settings",
  "packages/channels/src/irc/server/link.ts": "the server of the settings",
  "packages/channels/src/mattermost/socket.ts": "the server of the settings",
  "packages/channels/src/signal/rpc.ts": "the daemon of the settings; no redirects",
  "packages/channels/src/slack/api.ts": "Slack's own servers; no redirects",
  "packages/channels/src/slack/receive/socket.ts": "Slack's own servers",
  "packages/channels/src/telegram/api.ts": "a library that is handed our transport",
  "packages/channels/src/telegram/download.ts": "files at the API root of the settings; no redirects",
  "packages/channels/src/webhook/connect.ts": "the page of the settings; no redirects",
  "packages/channels/src/xmpp/server/endpoints.ts": "looks up the server of the settings",
  "packages/channels/src/xmpp/server/stream.ts": "the server of the settings",
  // This machine, and the door.
  "packages/gateway/src/cli/doctor/own-checks.ts": "whether a port is free",
  "packages/gateway/src/cli/connect/gateway-connection.ts": "the gateway, for the command line",
  "packages/gateway/src/rooms/sandbox/bubblewrap/command-pipes.ts": "pipes of commands: connects to nothing",
  "packages/gateway/src/rooms/sandbox/bubblewrap/forwarder.ts": "inside a sandbox, to the proxy's socket file",
  "packages/gateway/src/rooms/sandbox/docker/engine.ts": "the engine's socket",
  "packages/gateway/src/rooms/sandbox/self-test.ts": "this machine, to see that a sandbox cannot",
  "packages/gateway/src/rooms/security-audit/probe.ts": "the gateway's own port",
  "packages/gateway/src/server/door.ts": "listens",
  "packages/gateway/src/server/home-listener.ts": "listens",
};

/** The platform's own `fetch`: called, and nobody handed one in. */
const isPlatformFetch = (text: string): boolean =>
  /(?<![.\w#])fetch\(/.test(text) &&
  !/[{,(]\s*(?:readonly )?fetch\s*[,:}?=)]|\bconst fetch\b|\bfunction fetch\b|\basync fetch\(/.test(text);

test("every file that can reach the network is listed, with where it leads", () => {
  const signs = [BUILTIN, PLATFORM, OURS, LIBRARY];
  const sources = listProgramSources();
  const isWayOut = (text: string): boolean => signs.some((sign) => sign.test(text)) || isPlatformFetch(text);
  const found = sources.filter(({ text }) => isWayOut(text)).map(({ path }) => path);
  countCases("S-24", sources.length);
  expect(found).toEqual(Object.keys(WAYS_OUT).toSorted());
});

/** Ways to write this machine, none of which needs a name server. */
const THIS_MACHINE = [
  ..."127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0 0.0.0.0 [::] [::1]".split(" "),
  ..."[::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:1] localhost localhost. a.localhost".split(" "),
  ..."127.0.0.1. １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.① 127%2e0%2e0%2e1".split(" "),
];

test("nothing that names this machine is fetched for a model or a caller, by any tool or method that takes addresses", async () => {
  let hits = 0;
  const server = createServer((_request, response) => {
    hits += 1;
    response.writeHead(200, { "content-type": "image/png" }).end(Buffer.from(SMALL_PNG, "base64"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const models = [{ id: "test", name: "Test", input: ["text", "image"] }];
  await using stage = await openChannelStage({
    config: {
      commands: { ownerAllowFrom: ["fake:alice"] },
      tools: { loopDetection: { enabled: false } },
      models: { providers: { scripted: { baseUrl: "http://127.0.0.1:9", models } } },
      agents: { defaults: { model: "scripted/test", imageModel: "scripted/test", sandbox: { mode: "off" } } },
    },
  });
  const urls = THIS_MACHINE.map((host) => `http://${host}:${port}/x.png`);
  const calls = urls.flatMap((url) => [
    { name: "web_fetch", arguments: { url } },
    { name: "image", arguments: { image: url, prompt: "what is it" } },
    { name: "message", arguments: { action: "send", message: "look", media: url } },
  ]);
  stage.model.script(callTools(calls.map((call, index) => ({ id: `c${index}`, ...call }))), say("done"));
  await stage.ask("look at these");
  const results = (stage.model.requests.at(-1)?.messages ?? []).filter(
    (message): message is ToolResultMessage => message.role === "toolResult",
  );
  const wrong = results.filter((result) => !result.isError || !/may not be fetched/.test(textOf(result)));
  expect(wrong.map((result) => [result.toolCallId, textOf(result)]).slice(0, 3)).toEqual([]);
  expect(results.length).toBe(calls.length);
  for (const [index, url] of urls.entries()) {
    const target = { channel: "fake", to: "alice", message: "look", idempotencyKey: `k${index}` };
    const { error } = await stage.client.request("send", { ...target, mediaUrl: url });
    expect([url, error?.message]).toEqual([url, expect.stringMatching(/may not be fetched/)]);
    const action = { action: "send", channel: "fake", target: "alice", message: "look", media: [url] };
    const refused = await stage.client.request("message.action", { ...action, idempotencyKey: `m${index}` });
    expect([url, refused.error?.message]).toEqual([url, expect.stringMatching(/may not be fetched/)]);
  }
  countCases("S-24", calls.length + urls.length * 2);
  expect(hits).toBe(0);
  expect(stage.fake.sent.filter(({ content }) => content.kind === "media")).toEqual([]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
