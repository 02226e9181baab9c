// Which conversations are kept, what each sandbox sees, and what happens when there is none: nothing runs.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Logger, SandboxBackend, SandboxBackendId, SandboxCheck, SandboxProfile } from "@chela/sdk";
import { createFakeClock, createMemoryLedger } from "@chela/sdk/testing";
import { createIds } from "../../base/ids.ts";
import { accessOf, AS_OWNER, needOf, scopeFor, type Asking } from "./need.ts";
import { folderOf, profileOf } from "./profile.ts";
import { readBinds, type BindRules } from "./binds.ts";
import { Sandboxes, type SandboxesHouse, type SandboxEvent } from "./room.ts";
import type { SandboxSettings } from "./settings.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "chela-sandbox-room-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const SETTINGS: SandboxSettings = {
  mode: undefined,
  backend: "auto",
  scope: "agent",
  workspaceAccess: undefined,
  root: join(root, "sandboxes"),
  allowHosts: [],
  limits: {},
  docker: {},
  prune: { idleHours: 24, maxAgeDays: 7 },
};
const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, log() {}, child: () => silent } as Logger;
const READY: SandboxCheck = { kind: "ready", version: "1", notes: [] };
const SHORT: SandboxCheck = { kind: "unusable", why: "Nothing can be made (EMFILE).", fix: "Wait.", mayPass: true };
const MISSING: SandboxCheck = { kind: "unusable", why: "It is not installed.", fix: "Install it." };

/** A backend that only notes what is asked of it. */
function fakeBackend(id: SandboxBackendId, check: SandboxCheck) {
  const opened: SandboxProfile[] = [];
  const closed: string[] = [];
  const state = { check };
  const backend: SandboxBackend = {
    id,
    check: async () => state.check,
    async open(profile) {
      opened.push(profile);
      const close = async (): Promise<void> => void closed.push(profile.scope);
      return { backend: id, profile, start: () => Promise.reject(new Error("not here")), close };
    },
    list: async () =>
      opened
        .filter(({ scope }) => !closed.includes(scope))
        .map(({ scope }) => ({
          backend: id,
          name: scope,
          scope,
          isRunning: true,
          createdAt: 0,
          lastUsedAt: 0,
          isOutdated: false,
        })),
    remove: async (name) => void closed.push(name),
    close: async () => {},
  };
  return { backend, opened, closed, state };
}

function setUp(checks: Partial<Record<SandboxBackendId, SandboxCheck>>, over: Partial<SandboxSettings> = {}) {
  const ledger = createMemoryLedger();
  const events: SandboxEvent[] = [];
  const fakes = {
    bubblewrap: fakeBackend("bubblewrap", checks.bubblewrap ?? MISSING),
    docker: fakeBackend("docker", checks.docker ?? MISSING),
    podman: fakeBackend("podman", checks.podman ?? MISSING),
  };
  const settings = { current: { ...SETTINGS, ...over } };
  const installed = new Set<SandboxBackendId>();
  const loaded: SandboxBackendId[] = [];
  const clock = createFakeClock();
  const house: SandboxesHouse = {
    clock,
    ids: createIds(),
    log: silent,
    ledger,
    keys: () => ({ defaultAgentId: "main", mainKey: "main", scope: "per-sender" }),
    workspaceOf: () => join(root, "workspace"),
  };
  const open = () =>
    new Sandboxes(house, {
      settings: () => settings.current,
      agentIds: () => ["main"],
      notes: () => ["MEMORY.md", "memory", "USER.md"].map((name) => join(root, "workspace", name)),
      closedFolders: () => [join(root, "state")],
      isInstalled: (id) => installed.has(id),
      async load(id) {
        loaded.push(id);
        return fakes[id].backend;
      },
      noted: (event) => events.push(event),
    });
  return { ledger, events, fakes, settings, open, installed, loaded, clock };
}

const group = { agentId: "main", sessionKey: "agent:main:telegram:group:7", requester: AS_OWNER };
const main = { agentId: "main", sessionKey: "agent:main:main", requester: AS_OWNER };
const asks = (standing: Asking["standing"], askedIn?: string): Asking => ({
  standing,
  isOwner: standing === "owner",
  ...(askedIn === undefined ? {} : { askedIn }),
});

describe("a conversation", () => {
  it.each<[SandboxSettings["mode"], boolean, boolean, "none" | "required"]>([
    [undefined, false, true, "required"],
    [undefined, true, true, "none"],
    [undefined, false, false, "none"],
    ["off", false, true, "none"],
    ["non-main", false, false, "required"],
    ["non-main", true, false, "none"],
    ["all", true, false, "required"],
  ])("of an owner, with mode %s, main %s, kept by default %s: %s", (mode, isMain, isKept, kind) => {
    const question = { ...(isMain ? main : group), mainKey: "main" };
    expect(needOf({ ...SETTINGS, mode }, question, isKept).kind).toBe(kind);
    expect(needOf({ ...SETTINGS, mode, backend: "host" }, question, isKept).kind).toBe("none");
  });

  it.each([
    ["agent:main:main", true],
    ["agent:x:main", true],
    ["global", true],
    ["agent:main:main:thread:1", false],
    ["agent:main:telegram:group:main", false],
    ["main", false],
    ["", false],
  ])("%s is the main one: %s", (sessionKey, isMain) => {
    const question = { sessionKey, requester: AS_OWNER, mainKey: "main" };
    expect(needOf(SETTINGS, question, true).kind).toBe(isMain ? "none" : "required");
  });

  it.each<[Asking["standing"], SandboxSettings["mode"], "none" | "required"]>([
    ["member", undefined, "required"],
    ["member", "non-main", "required"],
    ["member", "off", "none"],
    ["operator", "off", "required"],
    ["approved", "off", "required"],
    ["stranger", "off", "required"],
    ["guest", "off", "required"],
    ["node", "off", "required"],
    ["webhook", "off", "required"],
  ])("of %s in the main one, with mode %s: %s, however the machine is", (standing, mode, kind) => {
    for (const isKept of [true, false])
      expect(needOf({ ...SETTINGS, mode }, { ...main, requester: asks(standing), mainKey: "main" }, isKept).kind).toBe(
        kind,
      );
  });

  const GROUP = group.sessionKey;
  it.each<[string, "none" | "ro" | "rw" | undefined, Asking, string]>([
    [GROUP, undefined, AS_OWNER, "none"],
    ["agent:main:hook:github", undefined, AS_OWNER, "none"],
    ["agent:main:node-7", undefined, AS_OWNER, "none"],
    ["node-7", undefined, AS_OWNER, "none"],
    ["agent:main:telegram:new-kind:7", undefined, AS_OWNER, "none"],
    ["agent:main:cron:job", undefined, AS_OWNER, "rw"],
    ["agent:main:holiday", undefined, AS_OWNER, "rw"],
    ["agent:main:direct:7", undefined, AS_OWNER, "none"],
    ["agent:main:subagent:1", undefined, AS_OWNER, "rw"],
    ["agent:main:subagent:1", undefined, asks("owner", GROUP), "none"],
    ["agent:main:subagent:1", "ro", asks("owner", GROUP), "ro"],
    ["agent:main:cron:job", undefined, asks("owner", GROUP), "none"],
    [GROUP, "rw", AS_OWNER, "rw"],
    // Somebody chose a name that looks like ours.
    ["agent:main:telegram:group:cron:x", undefined, AS_OWNER, "none"],
    // A key names a conversation, and gives nothing.
    ["agent:main:main", undefined, asks("operator"), "rw"],
    ["agent:main:main", undefined, asks("member"), "none"],
    ["agent:main:main", undefined, asks("stranger"), "none"],
    ["agent:main:subagent:1", undefined, asks("member", "agent:main:main"), "none"],
    ["agent:main:cron:job", undefined, asks("approved"), "none"],
    ["agent:main:main", "rw", asks("member"), "rw"],
    ["agent:main:main", "rw", asks("guest"), "ro"],
    [GROUP, "rw", asks("stranger"), "ro"],
    ["agent:main:node-7", "rw", asks("node"), "ro"],
  ])("%s, configured %s, for %j: %s", (sessionKey, written, requester, expected) => {
    const question = { sessionKey, requester, mainKey: "main" };
    expect(accessOf({ ...SETTINGS, workspaceAccess: written }, question)).toBe(expected);
    // Who is kept in one although they are switched off is not to write anywhere without a question.
    if (written === undefined) expect(accessOf({ ...SETTINGS, mode: "off" }, question)).toBe("none");
  });

  it.each<[string, SandboxSettings["scope"], Asking, string]>([
    ["agent:main:telegram:direct:7", undefined, asks("member"), "session"],
    [GROUP, undefined, AS_OWNER, "session"],
    ["agent:main:main", undefined, asks("member"), "session"],
    ["agent:main:main", undefined, AS_OWNER, "agent"],
    ["agent:main:cron:job", undefined, AS_OWNER, "agent"],
    ["agent:main:subagent:1", undefined, asks("owner", GROUP), "session"],
    ["agent:main:subagent:1", undefined, asks("member"), "session"],
    [GROUP, "agent", asks("stranger"), "agent"],
    ["agent:main:cron:job", "session", AS_OWNER, "session"],
  ])("%s, configured %s, for %j has the sandbox of its %s", (sessionKey, scope, requester, expected) => {
    expect(scopeFor({ scope }, { sessionKey, requester, mainKey: "main" })).toBe(expected);
  });
});

describe("a profile", () => {
  const binds = { closed: [], realPath: (path: string) => path };
  const subject = {
    ...group,
    sessionId: "s1",
    scope: "agent" as const,
    access: "none" as const,
    workspace: "/home/ann/workspace",
    control: [],
    binds,
  };

  it("sees a folder of its own, no network and nothing of the gateway's environment", () => {
    const profile = profileOf(SETTINGS, subject);
    const outside = folderOf(SETTINGS.root, "agent:main");
    expect(profile.mounts).toEqual([{ outside, inside: "/workspace", isWritable: true }]);
    expect(profile.network).toEqual({ kind: "none" });
    expect(Object.keys(profile.env).sort()).toEqual(["HOME", "LANG", "PATH", "TERM"]);
    expect(profile.container).toMatchObject({ capDrop: ["ALL"], isRootReadOnly: true });
  });

  it.each([
    ["ro", [["/agent", false]]],
    ["rw", [["/workspace", true]]],
  ] as const)("sees the workspace %s", (access, expected) => {
    const { mounts, scope } = profileOf(SETTINGS, { ...subject, access });
    const seen = mounts.filter(({ outside }) => outside === subject.workspace);
    expect(seen.map(({ inside, isWritable }) => [inside, isWritable])).toEqual(expected);
    expect(scope).toBe(`agent:main+${access}`);
  });

  it("has a folder of its own for each scope, whatever its name", () => {
    const keys = ["session:a/b", "session:a-b", "session:a b", "session:../../x", "session:"];
    const folders = keys.map((scope) => folderOf("/s", scope));
    expect(new Set(folders).size).toBe(keys.length);
    for (const folder of folders) expect(folder).toMatch(/^\/s\/[a-z0-9-]*-[0-9a-f]{8}$/);
    const lives = [
      "session:a@b@1",
      "session:a@b@2",
      "session:a@b@1+ro",
      "session:a@1",
      "session:../@../..",
      "session:x@",
    ];
    const inLives = lives.map((scope) => folderOf("/s", scope));
    expect(new Set(inLives).size).toBe(lives.length);
    for (const folder of inLives) expect(folder).toMatch(/^\/s(?:\/[a-z0-9-]*-[0-9a-f]{8}){2}\/(?:files|[a-z0-9-]*)$/);
  });

  it("is on the machine's network only where that was written, and never on another container's", () => {
    const networkOf = (network: string) => profileOf({ ...SETTINGS, docker: { network } }, subject).network;
    expect(networkOf("host")).toEqual({ kind: "named", name: "host" });
    expect(() => networkOf("container:other")).toThrow(/into another container/);
    expect(profileOf({ ...SETTINGS, docker: {} }, subject)).toMatchObject({
      network: { kind: "none" },
      container: { isRootReadOnly: true },
    });
  });

  it("reads sizes and limits as container engines write them", () => {
    const docker = {
      memory: "512m",
      memorySwap: "1g",
      pidsLimit: 64,
      ulimits: { nofile: "64:128", nproc: 9, core: { soft: 0 } },
    };
    const { limits, container } = profileOf({ ...SETTINGS, docker }, subject);
    expect(limits).toMatchObject({ memoryBytes: 512 * 1024 ** 2, processes: 64 });
    expect(container.memorySwapBytes).toBe(1024 ** 3);
    expect(container.ulimits).toEqual({
      nofile: { soft: 64, hard: 128 },
      nproc: { soft: 9, hard: 9 },
      core: { soft: 0, hard: 0 },
    });
    expect(() => profileOf({ ...SETTINGS, docker: { memory: "much" } }, subject)).toThrow(/"much", which is no size/);
  });
});

describe("a bind", () => {
  const state = join(root, "state");
  const workspace = join(root, "workspace");
  for (const folder of ["state/credentials", "workspace/src", "elsewhere"])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(join(state, "credentials"), join(workspace, "link"));
  const rules: BindRules = {
    near: [workspace],
    mayComeFromAnywhere: false,
    mayCoverReserved: false,
    reserved: ["/workspace", "/agent"],
    closed: [state],
    realPath(path) {
      try {
        return realpathSync(path);
      } catch {
        return undefined;
      }
    },
  };
  const free = { ...rules, mayComeFromAnywhere: true, mayCoverReserved: true };

  it("of the workspace is taken, read-only where it says so", () => {
    expect(readBinds([`${workspace}/src:/data:ro`, `${workspace}/src:/more`], rules)).toEqual([
      { outside: `${workspace}/src`, inside: "/data", isWritable: false },
      { outside: `${workspace}/src`, inside: "/more", isWritable: true },
    ]);
    expect(readBinds([`${join(root, "elsewhere")}:/data`], free)).toHaveLength(1);
  });

  it.each<[string, BindRules, RegExp]>([
    [`${join(root, "elsewhere")}:/data`, rules, /outside of the workspace/],
    [`${workspace}/link:/data`, rules, /gateway's own files/],
    [`${workspace}/link:/data`, free, /gateway's own files/],
    [`${state}:/data`, free, /gateway's own files/],
    [`${root}:/data`, free, /gateway's own files/],
    ["/:/data", free, /open the machine/],
    ["/etc:/data", free, /open the machine/],
    ["/etc/ssl:/data", free, /open the machine/],
    ["/proc:/data", free, /open the machine/],
    ["/var:/data", free, /open the machine/],
    ["/var/lib:/data", { ...free, realPath: (path: string) => path }, /open the machine/],
    [`${workspace}/src:/workspace`, rules, /belongs to the sandbox/],
    [`${workspace}/src:/workspace/x`, rules, /belongs to the sandbox/],
    [`${workspace}/src:/etc/x`, rules, /belongs to the sandbox/],
    [`${workspace}/src:/x/../etc`, rules, /belongs to the sandbox/],
    [`${workspace}/src:/`, rules, /belongs to the sandbox/],
    [`${workspace}/src:/data:rw,exec`, rules, /neither "ro" nor "rw"/],
    [`${workspace}/gone:/data`, rules, /no such folder/],
    ["relative:/data", rules, /write it as/],
    [`${workspace}/src`, rules, /write it as/],
    [`${workspace}/src:/data:ro:z`, rules, /write it as/],
  ])("%s is refused", (bind, given, why) => {
    expect(() => readBinds([bind], given)).toThrow(why);
  });
});

describe("the sandboxes", () => {
  it("keep every conversation but the main one where a backend is usable, and remember that", async () => {
    const { open, fakes, ledger } = setUp({ bubblewrap: READY });
    const first = open();
    expect(await first.enter(main)).toBeUndefined();
    expect(await first.enter(group)).toMatchObject({ backend: "bubblewrap", workdir: "/workspace" });
    expect(await ledger.value("sandbox-kept-by")).toBe("bubblewrap");
    // Gone after a restart: that is noticed, not passed over.
    fakes.bubblewrap.state.check = MISSING;
    const second = open();
    await expect(second.enter(group)).rejects.toThrow(/It is not installed. Install it.*sandbox.mode to "off"/);
    expect(await second.enter(main)).toBeUndefined();
    await expect(second.explain(group)).resolves.toMatchObject({ isSandboxed: true, check: MISSING });
  });

  it("refuse while the first try fails by what may pass, say so, and try again with the next call", async () => {
    const { open, fakes, ledger, installed } = setUp({ bubblewrap: SHORT, docker: READY });
    installed.add("bubblewrap");
    const room = open();
    for (const again of [1, 2]) {
      await expect(room.enter({ ...group, requester: AS_OWNER }), String(again)).rejects.toThrow(/EMFILE.*tried again/);
      expect(room.need(group).kind).toBe("required");
      expect(await room.describe(group)).toBeDefined();
    }
    expect(await ledger.value("sandbox-kept-by")).toBeUndefined();
    fakes.bubblewrap.state.check = READY;
    expect(await room.enter(group)).toMatchObject({ backend: "bubblewrap" });
    expect(await ledger.value("sandbox-kept-by")).toBe("bubblewrap");
  });

  it("are looked for again after a while on a machine that had none", async () => {
    const { open, fakes, clock } = setUp({});
    const room = open();
    expect(await room.enter(group)).toBeUndefined();
    fakes.docker.state.check = READY;
    expect(await room.enter(group)).toBeUndefined();
    await clock.advance(600_000);
    expect(await room.enter(group)).toMatchObject({ backend: "docker" });
  });

  it("keep nothing where nothing is configured and nothing is usable", async () => {
    const { open, ledger } = setUp({});
    const room = open();
    expect(await room.enter(group)).toBeUndefined();
    expect(await ledger.value("sandbox-kept-by")).toBeUndefined();
    expect((await room.explain(group)).why).toMatch(/nothing to keep a sandbox with/);
  });

  it("tell a prompt what to expect before anything was tried, and decide a moment later", async () => {
    const { open, ledger, installed, loaded, clock } = setUp({ bubblewrap: READY });
    installed.add("bubblewrap");
    const room = open();
    expect(await room.describe(group)).toMatchObject({ workdir: "/workspace", access: "none" });
    expect(await room.describe(main)).toBeUndefined();
    expect(loaded).toEqual([]);
    await clock.advance(1_000);
    expect(loaded).toEqual(["bubblewrap"]);
    expect(await ledger.value("sandbox-kept-by")).toBe("bubblewrap");
  });

  it("load nothing for a prompt where it is known who keeps them", async () => {
    const { open, ledger, installed, loaded, clock } = setUp({ bubblewrap: READY });
    await ledger.commit([{ kind: "value-put", key: "sandbox-kept-by", value: "docker" }]);
    installed.add("bubblewrap");
    expect(await open().describe(group)).toMatchObject({ workdir: "/workspace" });
    await clock.advance(60_000);
    expect(loaded).toEqual([]);
  });

  it("are wrong about a backend that is there and does not work for one turn, whose tools get no place", async () => {
    const { open, installed, ledger } = setUp({ bubblewrap: MISSING });
    installed.add("bubblewrap");
    const room = open();
    expect(await room.describe(group)).toBeDefined();
    expect(room.need(group).kind).toBe("required");
    expect(await room.enter(group)).toBeUndefined();
    expect(room.need(group).kind).toBe("none");
    expect(await room.describe(group)).toBeUndefined();
    expect(await ledger.value("sandbox-kept-by")).toBeUndefined();
    // Who asked before the first prompt has decided it for that prompt, too.
    const other = open();
    expect((await other.status()).isKeptByDefault).toBe(false);
    expect(await other.describe(group)).toBeUndefined();
  });

  it("wait for the decision where only a try can tell", async () => {
    const { open, installed } = setUp({ docker: READY });
    installed.add("docker");
    expect(await open().describe(group)).toMatchObject({ workdir: "/workspace" });
    const chosen = setUp({ docker: READY }, { backend: "docker" });
    chosen.installed.add("bubblewrap");
    await chosen.open().describe(group);
    expect(chosen.loaded).toEqual(["docker"]);
  });

  it("refuse while the decision cannot be remembered, and try again", async () => {
    const { open, installed, ledger } = setUp({ bubblewrap: READY });
    installed.add("bubblewrap");
    const room = open();
    await room.describe(group);
    const commit = ledger.commit.bind(ledger);
    ledger.commit = () => Promise.reject(new Error("the disk is full"));
    await expect(room.enter(group)).rejects.toThrow(/disk is full/);
    expect(room.need(group).kind).toBe("required");
    ledger.commit = commit;
    expect(await room.enter(group)).toMatchObject({ backend: "bubblewrap" });
  });

  it.each<[string, Partial<SandboxSettings>]>([
    ["a mode", { mode: "all" }],
    ["a backend that is missing", { mode: "non-main", backend: "docker" }],
  ])("refuse rather than leave out, with %s", async (_what, over) => {
    const { open, fakes, events } = setUp({ bubblewrap: over.backend ? READY : MISSING }, over);
    await expect(open().enter(group)).rejects.toMatchObject({ code: "SANDBOX_FAILED" });
    expect(fakes.bubblewrap.opened).toEqual([]);
    expect(events).toMatchObject([{ kind: "refused" }]);
  });

  it("stand for as long as their configuration, and are set up anew after a change", async () => {
    const { open, fakes, settings, events } = setUp({ bubblewrap: READY });
    const room = open();
    const enter = async () => (await room.enter(group))?.open();
    for (const profile of [await enter(), await enter()].map((place) => place?.profile))
      expect(profile).toEqual(fakes.bubblewrap.opened[0]);
    expect(fakes.bubblewrap.closed).toEqual([]);
    settings.current = { ...settings.current, allowHosts: ["example.org"] };
    expect((await enter())?.profile.network).toEqual({ kind: "hosts", hosts: ["example.org"] });
    expect(fakes.bubblewrap.closed).toEqual(["agent:main"]);
    expect(events.map(({ kind }) => kind)).toEqual(["opened", "opened"]);
  });

  it("are taken down when asked, by agent or conversation", async () => {
    const { open, fakes } = setUp({ bubblewrap: READY }, { scope: "session" });
    const room = open();
    const other = { ...group, sessionKey: "agent:main:irc:group:x" };
    for (const subject of [group, other]) await (await room.enter(subject))?.open();
    expect(await room.recreate({ sessionKey: other.sessionKey })).toBe(1);
    expect(fakes.bubblewrap.closed).toEqual([`session:${other.sessionKey}@new`]);
    expect(await room.recreate({ agentId: "nobody" })).toBe(0);
    expect(await room.recreate({})).toBe(1);
  });

  it("end with their conversation", async () => {
    const { open, fakes, ledger } = setUp({ bubblewrap: READY }, { scope: "session" });
    await (await open().enter(group))?.open();
    await ledger.commit([{ kind: "session-delete", key: group.sessionKey }]);
    await expect.poll(() => fakes.bubblewrap.closed).toEqual([`session:${group.sessionKey}@new`]);
  });

  it("are new for a conversation that begins anew, and the old one ends", async () => {
    const { open, fakes, ledger } = setUp({ bubblewrap: READY }, { scope: undefined });
    const put = (sessionId: string) =>
      ledger.commit([{ kind: "session-put", key: group.sessionKey, entry: { sessionId, updatedAt: 1 } }]);
    const room = open();
    const enter = async () => (await room.enter(group))?.open();
    await put("first");
    const first = await enter();
    await put("first");
    expect((await enter())?.profile).toEqual(first?.profile);
    expect(fakes.bubblewrap.closed).toEqual([]);
    await put("second");
    await expect.poll(() => fakes.bubblewrap.closed).toEqual([`session:${group.sessionKey}@first`]);
    const second = await enter();
    expect(second?.profile.scope).toBe(`session:${group.sessionKey}@second`);
    expect(second?.profile.mounts[0]?.outside).not.toBe(first?.profile.mounts[0]?.outside);
    // What the first one has filled is not given to the second one once more.
    expect(second?.profile.disk?.folder).toBe(first?.profile.disk?.folder);
    expect(second?.profile.disk?.inUse).not.toBe(first?.profile.disk?.inUse);
  });

  it("give a sub-agent no more than the conversation that started it", async () => {
    const { open } = setUp({ bubblewrap: READY });
    const child = { ...main, sessionKey: "agent:main:subagent:1" };
    const room = open();
    expect((await room.enter({ ...child, requester: asks("owner", group.sessionKey) }))?.scope).toBe("agent:main");
    expect((await room.enter(child))?.scope).toBe("agent:main+rw");
    const { open: openPreset } = setUp({ bubblewrap: READY }, { scope: undefined });
    const started = { ...child, requester: asks("stranger", group.sessionKey) };
    expect((await openPreset().enter(started))?.scope).toBe(`session:${group.sessionKey}@new`);
  });

  it("cover the notes for whoever may not know them, also those that are made later", async () => {
    const workspace = join(root, "workspace");
    mkdirSync(join(workspace, "memory"), { recursive: true });
    rmSync(join(workspace, "MEMORY.md"), { force: true });
    const room = setUp({ bubblewrap: READY }, { mode: "all", workspaceAccess: "rw" }).open();
    const covered = async (requester: Asking) =>
      (await room.enter({ ...main, requester }))?.mounts.filter(({ outside }) => outside.includes("blank")) ?? [];
    expect(await covered(AS_OWNER)).toEqual([]);
    expect(await covered(asks("operator"))).toEqual([
      { outside: join(SETTINGS.root, "blank-folder"), inside: "/workspace/memory", isWritable: false },
    ]);
    writeFileSync(join(workspace, "MEMORY.md"), "the code is 1234");
    expect((await covered(asks("operator"))).map(({ inside }) => inside)).toEqual([
      "/workspace/MEMORY.md",
      "/workspace/memory",
    ]);
    expect((await covered(asks("stranger"))).map(({ inside }) => inside)).toEqual([
      "/agent/MEMORY.md",
      "/agent/memory",
    ]);
  });
});
