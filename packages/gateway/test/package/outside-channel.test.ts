// A channel in a package of its own, made as the guide says and with nothing of ours but the sdk: the gateway finds it, checks
// what is written for it, shows it in forms, and talks through it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerText, questionText, startModelServer } from "../support/durability/durability-model.ts";
import { createWorkshop, eventually } from "../support/durability/durability-workshop.ts";

const ROOT = join(import.meta.dirname, "../../../..");
const CANARY = "canary-token-of-lines";

interface Said {
  readonly token?: string;
  readonly took?: string;
  readonly to?: string;
  readonly text?: string;
}

const model = await startModelServer();
const workshop = createWorkshop(() => model.baseUrl, { hasOwnPackage: true });
const heard: Said[] = [];
const sockets: Socket[] = [];
const server = createServer((socket) => {
  sockets.push(socket);
  socket.on("error", () => {});
  createInterface({ input: socket }).on("line", (line) => heard.push(JSON.parse(line) as Said));
}).listen(0, "127.0.0.1");
afterAll(async () => {
  await workshop.clean();
  for (const socket of sockets) socket.destroy();
  server.close();
  await model[Symbol.asyncDispose]();
});

/** The files of the guide, built by the command it gives and installed beside the gateway. */
beforeAll(async () => {
  const guide = readFileSync(join(ROOT, "docs/guides/write-a-channel.md"), "utf8");
  const source = join(workshop.directory, "source");
  const installed = join(workshop.directory, "node_modules/chela-channel-lines");
  for (const [, name = "", text = ""] of guide.matchAll(/^`([\w/.-]+)`[^\n]*:\n\n```\w+\n(.*?)^```/gms)) {
    const folder = name === "package.json" ? installed : source;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  await build({
    absWorkingDir: source,
    entryPoints: ["src/channel.ts"],
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    outdir: join(installed, "dist"),
    nodePaths: [join(ROOT, "node_modules")],
  });
});

const settings = () => ({ port: (server.address() as AddressInfo).port, token: CANARY, dmPolicy: "open" });

test("what is written for it is checked by its own section", async () => {
  const lines = { ...settings(), allowFrom: ["*"], port: "many", tokn: "x" };
  const state = await workshop.createState({ config: { channels: { lines, matrix: { homeserver: "https://x" } } } });
  const { code, output } = await workshop.run(state, "config", "validate");
  expect(code).not.toBe(0);
  expect(output).toContain('channels.lines.port: "many" is not allowed; it must be a whole number');
  expect(output).toContain(
    'channels.lines.tokn: is not a key of this config and is ignored; did you mean "channels.lines.token"?',
  );
  expect(output).toContain("channels.matrix: needs a package that is not installed: npm install @chela/channel-matrix");
});

test("the gateway shows it, hides its secret and talks through it", async () => {
  const lines = { ...settings(), allowFrom: ["*"] };
  const state = await workshop.createState({ config: { channels: { lines } } });
  const gateway = workshop.start(state);
  const client = await gateway.connect();

  const { channels } = await client.call("channels.setup");
  expect(channels.find(({ id }: { id: string }) => id === "lines")).toMatchObject({
    label: "Lines",
    package: "chela-channel-lines",
    installed: true,
    fields: [{ name: "port" }, { name: "token", secret: true }],
  });
  const { children, hint } = await client.call("config.schema.lookup", { path: "channels.lines" });
  expect(hint).toBeUndefined();
  expect(children).toContainEqual(
    expect.objectContaining({ key: "token", hint: expect.objectContaining({ sensitive: true }) }),
  );
  expect(children).toContainEqual(
    expect.objectContaining({
      key: "host",
      hint: expect.objectContaining({ help: "Where the server is.", placeholder: "127.0.0.1" }),
    }),
  );
  expect(JSON.stringify(await client.call("config.get"))).not.toContain(CANARY);

  await eventually("it is connected", async () => heard.some(({ token }) => token === CANARY) || undefined);
  sockets[0]?.write(`${JSON.stringify({ id: "1", from: "ann", text: questionText("q-lines", 1) })}\n`);
  const answer = await eventually("ann is answered", async () => heard.find(({ to }) => to === "ann"));
  expect(answer).toMatchObject({ text: answerText("q-lines") });
  expect(heard).toContainEqual({ took: "1" });
  expect(gateway.output).not.toContain(CANARY);
});
