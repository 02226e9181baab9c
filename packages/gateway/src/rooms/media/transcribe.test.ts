// Voice notes: who is asked, with what, and what is said when nobody can write them down.
import { Secret } from "@chela/sdk";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { openMediaWorld, type MediaWorld } from "./media-world.test-support.ts";
import type { MediaParts, ProviderAccess, Transcript, TranscriptionSettings } from "./room.ts";
import { opus, picture, wav } from "./sample-files.test-support.ts";

interface Seen {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

interface Ear extends AsyncDisposable {
  readonly baseUrl: string;
  readonly seen: Seen[];
}

type Answer = (response: ServerResponse) => void;

async function openEar(answer: Answer): Promise<Ear> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const chunk of request) parts.push(chunk as Buffer);
    seen.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(parts) });
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const says =
  (text: string): Answer =>
  (response) => {
    response.end(JSON.stringify({ text }));
  };
const answers =
  (status: number, body: string): Answer =>
  (response) => {
    response.writeHead(status, { location: "http://x" }).end(body);
  };
const breaksOff: Answer = (response) => {
  response.socket?.destroy();
};
const withAccess = (accesses: Readonly<Record<string, ProviderAccess>>): Partial<MediaParts> => ({
  access: async ({ provider }) => accesses[provider],
});

async function hear(world: MediaWorld, settings: TranscriptionSettings, content = opus()): Promise<Transcript> {
  return await world.media.transcribe(await world.take(content, { name: 'x"\r\n.ogg' }), settings, { agentId: "main" });
}

describe("a server", () => {
  it("gets the sound and what is configured, and its text is the transcript", async () => {
    await using ear = await openEar(says(" Buy milk. \n"));
    using world = openMediaWorld(
      withAccess({ openai: { apiKey: new Secret("sk-test"), baseUrl: ear.baseUrl, headers: { "x-team": "a" } } }),
    );
    const model = { provider: "OpenAI", model: "whisper-1", language: "de", headers: { "x-own": "b" } };
    const heard = await hear(world, { audio: { prompt: "Names: Chela", models: [model] } });
    expect(heard).toEqual({ kind: "text", text: "Buy milk." });
    const [seen] = ear.seen;
    expect(seen).toMatchObject({
      path: "/v1/audio/transcriptions",
      headers: { authorization: "Bearer sk-test", "x-team": "a", "x-own": "b" },
    });
    const boundary = /boundary=(\S+)/.exec(seen?.headers["content-type"] ?? "")?.[1] ?? "?";
    const form = seen?.body.toString("latin1").split(`--${boundary}`) ?? [];
    expect(form).toEqual([
      "",
      '\r\ncontent-disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n',
      '\r\ncontent-disposition: form-data; name="response_format"\r\n\r\njson\r\n',
      '\r\ncontent-disposition: form-data; name="language"\r\n\r\nde\r\n',
      '\r\ncontent-disposition: form-data; name="prompt"\r\n\r\nNames: Chela\r\n',
      '\r\ncontent-disposition: form-data; name="file"; filename="audio.ogg"\r\ncontent-type: audio/ogg\r\n\r\n' +
        `${opus().toString("latin1")}\r\n`,
      "--\r\n",
    ]);
  });

  it("of one's own needs no credential, only an address", async () => {
    await using ear = await openEar(says("hello"));
    using world = openMediaWorld();
    const models = [{ provider: "local", model: "whisper", baseUrl: `${ear.baseUrl}/` }];
    expect(await hear(world, { audio: { models } })).toEqual({ kind: "text", text: "hello" });
    expect(ear.seen[0]?.headers).not.toHaveProperty("authorization");
  });

  it("is found by the credentials that are there when nothing is configured", async () => {
    await using ear = await openEar(says("hello"));
    using world = openMediaWorld(withAccess({ groq: { apiKey: new Secret("k"), baseUrl: ear.baseUrl } }));
    expect(await hear(world, {})).toEqual({ kind: "text", text: "hello" });
    expect(ear.seen[0]?.body.toString("latin1")).toContain("whisper-large-v3-turbo");
  });

  it("among the shared models is asked only if it can hear", async () => {
    await using ear = await openEar(says("hello"));
    using world = openMediaWorld();
    const shared = { provider: "local", baseUrl: ear.baseUrl };
    const models = [
      { ...shared, model: "sees", capabilities: ["image"] },
      { ...shared, model: "hears", capabilities: ["image", "audio"] },
    ];
    expect(await hear(world, { models })).toEqual({ kind: "text", text: "hello" });
    expect(ear.seen.map(({ body }) => body.includes("hears"))).toEqual([true]);
  });

  it("that fails is followed by the next, and its text is cut where configured", async () => {
    await using broken = await openEar(answers(500, "secret inside"));
    await using ear = await openEar(says("one two three"));
    using world = openMediaWorld();
    const models = [
      { provider: "a", model: "x", baseUrl: broken.baseUrl },
      { provider: "b", model: "y", baseUrl: ear.baseUrl, maxChars: 7 },
    ];
    expect(await hear(world, { audio: { models } })).toEqual({ kind: "text", text: "one two…" });
  });

  it.for([
    ["refuses", answers(401, "sk-secret"), "status 401"],
    ["redirects", answers(302, ""), "302"],
    ["breaks off", breaksOff, "broke off"],
    ["says nothing", says("  "), "no words were recognised"],
    ["answers something else", answers(200, "<html>"), "not of the form {text}"],
    ["answers without end", answers(200, "x".repeat(2 ** 21)), "longer than 1024 KB"],
  ] as const)("that %s is named in the failure, without what it wrote", async ([, answer, why]) => {
    await using ear = await openEar(answer);
    using world = openMediaWorld();
    const heard = await hear(world, { audio: { models: [{ provider: "a", model: "x", baseUrl: ear.baseUrl }] } });
    expect(heard).toEqual({ kind: "failed", why: expect.stringMatching(/^a\/x: /) });
    expect(heard).toMatchObject({ why: expect.stringContaining(why) });
    expect(JSON.stringify(heard)).not.toContain("secret");
  });

  it("that does not answer is left after a minute, or as configured", async () => {
    const asked = Promise.withResolvers<void>();
    await using ear = await openEar(() => asked.resolve());
    using world = openMediaWorld();
    const models = [{ provider: "a", model: "x", baseUrl: ear.baseUrl }];
    const hearing = hear(world, { audio: { timeoutSeconds: 5, models } });
    await asked.promise;
    await world.clock.advance(5000);
    expect(await hearing).toEqual({ kind: "failed", why: "a/x: no answer within 5 seconds" });
    expect(world.clock.waiting).toBe(0);
  });

  it("is let go when the turn is stopped", async () => {
    const asked = Promise.withResolvers<void>();
    await using ear = await openEar(() => asked.resolve());
    using world = openMediaWorld();
    const models = [{ provider: "a", model: "x", baseUrl: ear.baseUrl }];
    const stop = new AbortController();
    const media = await world.take(opus());
    const hearing = world.media.transcribe(media, { audio: { models } }, { agentId: "main", signal: stop.signal });
    const failed = expect(hearing).rejects.toMatchObject({ name: "AbortError" });
    await asked.promise;
    stop.abort();
    await failed;
  });

  it("is asked about two voice notes at a time", async () => {
    let [active, most] = [0, 0];
    const access = async () => {
      most = Math.max(most, ++active);
      await new Promise((resolve) => setImmediate(resolve));
      active--;
      return undefined;
    };
    using world = openMediaWorld({ access });
    const media = await world.take(opus());
    const settings = { audio: { models: [{ provider: "a", model: "x" }] } };
    const hearing = [1, 2, 3, 4, 5].map(() => world.media.transcribe(media, settings, { agentId: "main" }));
    const failed = { kind: "failed", why: "a/x: no credential for a" };
    expect(await Promise.all(hearing)).toEqual([failed, failed, failed, failed, failed]);
    expect(most).toBe(2);
  });
});

const NODE = process.execPath;
const script = (code: string, ...args: string[]): string[] => [NODE, "-e", code, ...args];

describe("a command", () => {
  it("gets the file as a whole word, without a shell, and a clean environment in a harmless place", async () => {
    const environment = {
      PATH: process.env["PATH"],
      OPENAI_API_KEY: "sk-secret",
      LANG: "de_DE.UTF-8",
      NODE_OPTIONS: "-x",
    };
    using world = openMediaWorld({ environment });
    const code = "console.log(JSON.stringify([process.argv.slice(1), Object.keys(process.env).sort(), process.cwd()]))";
    const command = script(code, "file={input}", "$(id); {{MediaPath}}", "{{Other}}");
    const heard = await hear(world, { transcription: { command } }, wav());
    if (heard.kind !== "text") throw new Error(heard.why);
    const media = await world.take(wav());
    expect(JSON.parse(heard.text)).toEqual([
      [`file=${media.path}`, `$(id); ${media.path}`, "{{Other}}"],
      ["LANG", "PATH"],
      realpathSync(tmpdir()),
    ]);
  });

  it("may be one of the models, with a prompt and a limit", async () => {
    using world = openMediaWorld();
    const args = ["-e", "console.log(process.argv[2], process.argv[3])", "{{MediaPath}}", "{{Prompt}}", "{{MaxChars}}"];
    const models = [{ type: "cli" as const, command: NODE, args, maxChars: 500 }];
    expect(await hear(world, { audio: { prompt: "Be exact.", models } })).toEqual({
      kind: "text",
      text: "Be exact. 500",
    });
  });

  it.for([
    ["fails", script("process.exit(3)", "{input}"), "it ended with code 3"],
    ["says nothing", script("0", "{input}"), "it wrote nothing"],
    ["does not exist", ["/nowhere/whisper", "{input}"], "there is no such program"],
    ["may not run", [tmpdir(), "{input}"], "it may not be executed"],
    ["is not told the file", script("0"), "none of its arguments is {input}, so it would not know which file is meant"],
    [
      "floods",
      script("setInterval(() => process.stdout.write('x'.repeat(1e5)))", "{input}"),
      "it wrote more than 1024 KB",
    ],
  ] as const)("that %s is named in the failure", async ([, command, why]) => {
    using world = openMediaWorld();
    const heard = await hear(world, { transcription: { command: [...command] } });
    expect(heard).toEqual({ kind: "failed", why: `${command[0]}: ${why}` });
  });

  it("that hangs is ended with all it started", async () => {
    const begun = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    await using ear = await openEar((response) => {
      response.once("close", () => gone.resolve());
      begun.resolve();
    });
    using world = openMediaWorld();
    // The one that is started holds a connection, which ends when it does.
    const inner = `fetch(${JSON.stringify(ear.baseUrl)})`;
    const code = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(inner)}], { stdio: "inherit" })`;
    const command = script(code, "{input}");
    const hearing = hear(world, { transcription: { command, timeoutSeconds: 7 } });
    await begun.promise;
    await world.clock.advance(7000);
    expect(await hearing).toEqual({ kind: "failed", why: `${NODE}: it was not done after 7 seconds` });
    await gone.promise;
  });
});

describe("nobody is asked", () => {
  it.for([
    ["is no sound", {}, picture(4, 4).png().toBuffer(), "it is no sound (image/png)"],
    ["is not wanted", { audio: { enabled: false } }, opus(), "tools.media.audio.enabled is false"],
    ["has nobody to hear it", {}, opus(), "no model for transcripts: set tools.media.audio.models"],
  ] as const)("when a file %s", async ([, settings, content, why]) => {
    using world = openMediaWorld();
    expect(await hear(world, settings, await content)).toEqual({ kind: "skipped", why });
  });

  it.for([
    ["without a credential", { provider: "openai" }, "openai/gpt-4o-mini-transcribe: no credential for openai"],
    ["without a model", { provider: "other" }, "other: no model is set"],
    ["without anything", {}, "model: neither a provider nor a command is set"],
    ["without a command", { type: "cli" }, "command: no command is set"],
    ["with no address", { provider: "x", model: "y", baseUrl: "ftp://x" }, "x/y: no address is known"],
    ["for smaller files", { provider: "x", model: "y", maxBytes: 10 }, "x/y: it has 1 KB, and at most 1 KB are sent"],
  ] as const)("of a model %s, and the operator is told", async ([, model, why]) => {
    using world = openMediaWorld();
    const heard = await hear(world, { audio: { models: [model] } });
    expect(heard).toEqual({ kind: "failed", why: expect.stringContaining(why) });
  });
});
