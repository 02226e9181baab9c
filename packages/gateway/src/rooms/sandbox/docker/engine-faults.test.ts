// An engine that fails in every way it can, and mounts that must never be: no daemon is needed for these.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SandboxMount, SandboxPlace } from "@chela/sdk";
import { openStage, run, type DockerStage } from "./docker.test-support.ts";

interface FakeEngine extends AsyncDisposable {
  readonly stage: DockerStage;
  /** Method and path of each request, without the version. */
  readonly asked: string[];
}

type Answers = Readonly<Record<string, RequestListener>>;

const ID = "0123456789abcdef";
const json =
  (status: number, value: unknown): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
const UPGRADE = "HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n";

/** What a healthy engine says; tests put their own in place of it. */
const HEALTHY: Answers = {
  "GET /_ping": (_, response) => void response.writeHead(200, { "api-version": "1.41" }).end("OK"),
  "GET /version": json(200, { Version: "20.10.24" }),
  "GET /containers/json": json(200, []),
  "GET /containers/NAME/json": json(404, { message: "No such container" }),
  "POST /containers/create": json(201, { Id: ID, Warnings: ["No swap limit support"] }),
  "POST /containers/NAME/start": json(204, null),
  "POST /containers/NAME/exec": json(201, { Id: ID }),
  "POST /containers/NAME/kill": json(204, null),
  "DELETE /containers/NAME": json(204, null),
  "GET /exec/ID/json": json(200, { Running: false, ExitCode: 0 }),
};

/** `started` is what an exec's connection says after the upgrade; it is closed behind it. */
async function fakeEngine(answers: Answers, started = Buffer.alloc(0)): Promise<FakeEngine> {
  const directory = mkdtempSync(join(tmpdir(), "chela-engine-"));
  const socketPath = join(directory, "engine.sock");
  const asked: string[] = [];
  const all = { ...HEALTHY, ...answers };
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/^\/v[\d.]+|\?.*$/g, "");
    asked.push(`${request.method} ${path}`);
    const general = path.replace(/containers\/chela-sbx-[^/]+/, "containers/NAME").replace(`exec/${ID}`, "exec/ID");
    const answer = all[`${request.method} ${general}`] ?? json(500, { message: `unexpected ${general}` });
    answer(request, response);
  });
  server.on("upgrade", (_request, socket) => socket.end(Buffer.concat([Buffer.from(UPGRADE), started])));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  const stage = openStage(socketPath);
  return {
    stage,
    asked,
    [Symbol.asyncDispose]: async () => {
      await stage[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const never: RequestListener = () => {};

describe("an engine", () => {
  it.for([
    ["that answers with a failure", json(500, { message: "disk is full" }), "Docker failed: it answered 500 to GET"],
    ["that answers with no JSON", json(200, "hello"), "has an unknown shape"],
    ["that cuts its answer", cut(), "its answer broke off or is too long"],
    ["that never stops answering", endless(), "its answer broke off or is too long"],
    ["that hangs up", (request) => request.socket.destroy(), "the connection to"],
  ] satisfies [string, RequestListener, string][])("%s makes the sandbox fail, and nothing is run", async (row) => {
    const [, answer, says] = row;
    await using engine = await fakeEngine({ "GET /containers/NAME/json": answer });
    const opening = engine.stage.backend.open(engine.stage.profile());
    await expect(opening).rejects.toMatchObject({ code: "SANDBOX_FAILED", detail: expect.stringContaining(says) });
    expect(engine.asked.filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  it("that says nothing is not waited for longer than twenty seconds", async () => {
    const asked = Promise.withResolvers<void>();
    await using engine = await fakeEngine({ "GET /containers/NAME/json": () => asked.resolve() });
    const opening = engine.stage.backend.open(engine.stage.profile());
    const failing = expect(opening).rejects.toThrow(/did not answer within 20 seconds/);
    await asked.promise;
    await engine.stage.clock.advance(20_000);
    await failing;
  });

  it.for([
    ["too old", { "api-version": "1.24" }, "its interface 1.24 is too old; 1.40 or newer is needed"],
    ["something else", {}, "what answers at its socket is no container engine"],
  ] as const)("that is %s is unusable", async ([, headers, says]) => {
    await using engine = await fakeEngine({ "GET /_ping": (_, response) => response.writeHead(200, headers).end() });
    const why = `Docker failed: ${says}.`;
    expect(await engine.stage.backend.check()).toMatchObject({ kind: "unusable", why, fix: /Install Docker/ });
  });

  it("that is not there is unusable, and is used as soon as it is", async () => {
    const directory = mkdtempSync(join(tmpdir(), "chela-engine-"));
    const socketPath = join(directory, "engine.sock");
    await using stage = openStage(socketPath);
    expect(await stage.backend.check()).toMatchObject({
      kind: "unusable",
      why: `Docker is not running: there is no socket at ${socketPath}.`,
    });
    await expect(stage.backend.open(stage.profile())).rejects.toMatchObject({ code: "SANDBOX_FAILED" });
    const server = createServer(HEALTHY["GET /_ping"]).listen(socketPath);
    await expect.poll(async () => (await stage.backend.check()).kind === "unusable" && server.listening).toBe(true);
    expect(await stage.backend.check()).toMatchObject({ why: expect.stringContaining("unknown shape") });
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true, force: true });
  });

  it("of another kind of socket says so", async () => {
    const directory = mkdtempSync(join(tmpdir(), "chela-engine-"));
    const socketPath = join(directory, "engine.sock");
    const server = createTcpServer((socket) => socket.resume().end("SSH-2.0-nothing\r\n")).listen(socketPath);
    await new Promise((resolve) => server.once("listening", resolve));
    await using stage = openStage(socketPath);
    expect(await stage.backend.check()).toMatchObject({ kind: "unusable", why: /the connection to .* broke/ });
    await new Promise((resolve) => server.close(resolve));
    rmSync(directory, { recursive: true, force: true });
  });

  it("that warns is quoted in the log, and a container that does not start is removed", async () => {
    await using engine = await fakeEngine({ "POST /containers/NAME/start": json(500, { message: "no cgroup" }) });
    const { stage, asked } = engine;
    await expect(stage.backend.open(stage.profile())).rejects.toThrow(/no cgroup/);
    expect(stage.logged).toContain("warn: the container engine warns");
    expect(asked.at(-1)).toMatch(/^DELETE \/containers\/chela-sbx-/);
  });
});

describe("a command of an engine that fails", () => {
  const place = ({ stage }: FakeEngine): Promise<SandboxPlace> => stage.backend.open(stage.profile());

  it("ends with what the engine knows when its stream is cut", async () => {
    await using engine = await fakeEngine({ "GET /exec/ID/json": json(200, { Running: false, ExitCode: 137 }) });
    expect(await run(await place(engine), "true")).toMatchObject({ exitCode: 137, text: "" });
  });

  it("is ended, by its container if need be, when its stream is cut while it runs", async () => {
    await using engine = await fakeEngine({ "GET /exec/ID/json": json(200, { Running: true }) });
    const ran = await run(await place(engine), "true");
    expect(ran).toMatchObject({ exitCode: null, signal: "SIGKILL", text: expect.stringContaining("was lost") });
    expect(engine.asked.at(-1)).toMatch(/\/kill$/);
  });

  it("is ended when its stream makes no sense", async () => {
    const state = json(200, { Running: false, ExitCode: null });
    await using engine = await fakeEngine({ "GET /exec/ID/json": state }, Buffer.from("plain text, no frames"));
    expect(await run(await place(engine), "true")).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  });

  it("is refused when the engine does not switch over, or its container never stays", async () => {
    const gone = json(409, { message: "is not running" });
    await using ending = await fakeEngine({ "POST /containers/NAME/exec": gone });
    await expect(run(await place(ending), "true")).rejects.toThrow(/ended as soon as it was started/);
    await using odd = await fakeEngine({ "POST /containers/NAME/exec": json(201, { Id: "../x" }) });
    await expect(run(await place(odd), "true")).rejects.toThrow(/unknown shape/);
  });

  it("is not waited for when its beginning is never answered", async () => {
    const asked = Promise.withResolvers<void>();
    const wait: RequestListener = (...both) => (asked.resolve(), never(...both));
    await using engine = await fakeEngine({ "POST /containers/NAME/exec": wait });
    const failing = expect(run(await place(engine), "true")).rejects.toThrow(/did not answer/);
    await asked.promise;
    await engine.stage.clock.advance(20_000);
    await failing;
  });
});

describe("a mount", () => {
  it.for([
    ["/", "/data"],
    ["/etc", "/data"],
    ["/etc/ssl", "/data"],
    ["/proc", "/data"],
    ["/proc/1", "/data"],
    ["/sys", "/data"],
    ["/dev", "/data"],
    ["/run", "/data"],
    ["/var/run", "/data"],
    ["/var/lib/docker", "/data"],
    ["/root", "/data"],
    ["/root/.ssh", "/data"],
    ["/usr/bin", "/data"],
    ["STATE", "/data"],
    ["STATE/..", "/data"],
    ["PARENT", "/data"],
    ["SOCKET", "/data"],
    ["WORKSPACE/link", "/data"],
    ["WORKSPACE/missing", "/data"],
    ["relative", "/data"],
    ["WORKSPACE", "/"],
    ["WORKSPACE", "/etc"],
    ["WORKSPACE", "/etc/cron.d"],
    ["WORKSPACE", "/proc/sys"],
    ["WORKSPACE", "/usr"],
    ["WORKSPACE", "/bin"],
    ["WORKSPACE", "/data/../etc"],
    ["WORKSPACE", "data"],
  ] as const)("of %s at %s is refused, whatever the profile says", async ([outside, inside]) => {
    await using engine = await fakeEngine({});
    const { stage, asked } = engine;
    symlinkSync("/etc", join(stage.workspace, "link"));
    const places = {
      PARENT: join(stage.stateDir, ".."),
      STATE: stage.stateDir,
      SOCKET: stage.socketPath,
      WORKSPACE: stage.workspace,
    };
    const named = Object.entries(places).find(([name]) => outside.startsWith(name));
    const path = named ? outside.replace(named[0], named[1]) : outside;
    const mount: SandboxMount = { outside: path, inside, isWritable: true };
    const opening = stage.backend.open(stage.profile({ mounts: [...stage.profile().mounts, mount] }));
    await expect(opening).rejects.toThrow(/cannot be mounted/);
    expect(asked.filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  it("of a folder or a file of an agent is asked for as it is, and as nothing more", async () => {
    const bodies: unknown[] = [];
    await using engine = await fakeEngine({
      "POST /containers/create": async (request, response) => {
        let text = "";
        for await (const piece of request) text += String(piece);
        bodies.push(JSON.parse(text));
        json(201, { Id: ID })(request, response);
      },
    });
    const { stage } = engine;
    mkdirSync(join(stage.stateDir, "skills"));
    writeFileSync(join(stage.stateDir, "skills", "one.md"), "");
    const outside = join(stage.stateDir, "skills", "one.md");
    const mounts = [...stage.profile().mounts, { outside, inside: "/skills/one.md", isWritable: false }];
    await stage.backend.open(stage.profile({ mounts, container: { user: "1000:1000", tmpfs: ["/tmp:size=1m,suid"] } }));
    expect(bodies).toMatchObject([
      {
        Image: "chela-test:busybox",
        User: "1000:1000",
        Env: ["HOME=/tmp", "LANG=C.UTF-8", "PATH=/bin"],
        HostConfig: {
          NetworkMode: "none",
          ReadonlyRootfs: true,
          Privileged: false,
          IpcMode: "private",
          Init: true,
          CapDrop: ["ALL"],
          SecurityOpt: ["no-new-privileges", expect.stringMatching(/^seccomp=.*"setns"/)],
          Tmpfs: { "/tmp": "nosuid,nodev,size=1m" },
          PidsLimit: 64,
          Memory: 67108864,
          MemorySwap: 67108864,
          Mounts: [
            { Source: stage.workspace, Target: "/workspace", ReadOnly: false },
            { Source: outside, Target: "/skills/one.md", ReadOnly: true, BindOptions: { NonRecursive: true } },
          ],
        },
      },
    ]);
    const [body = {}] = bodies as Record<string, unknown>[];
    const hostKeys = Object.keys((body["HostConfig"] ?? {}) as object);
    for (const key of ["PortBindings", "Devices", "DeviceRequests", "CapAdd", "Binds", "PidMode", "VolumesFrom"]) {
      expect(hostKeys).not.toContain(key);
    }
  });
});

function cut(): RequestListener {
  return (_, response) => {
    response.writeHead(200, { "content-length": "1000" });
    response.write("{", () => response.destroy());
  };
}

function endless(): RequestListener {
  return (_, response) => {
    const piece = "x".repeat(65_536);
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", more);
    more();
  };
}
