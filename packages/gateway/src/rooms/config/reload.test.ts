// A changed file: what the gateway has to do about it, and when it hears of it.
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Clock } from "@chela/sdk";
import { createConfigStore, planReload, type ConfigStore, type ReloadMode, type ReloadReport } from "./room.ts";
import { temporaryState, type TemporaryState } from "./temporary-state.test-support.ts";

const CONFIG = "openclaw.json";

describe("the plan for a change", () => {
  it.each<[string[], ReloadMode, { restart: boolean; hot: string[]; waiting?: string[] }]>([
    [
      ["logging.level", "models.mode", "agents.list", "session.scope", "messages.queue", "ui.seamColor"],
      "hybrid",
      { restart: false, hot: [] },
    ],
    [
      ["gateway.auth.token", "gateway.controlUi.basePath", "gateway.http.endpoints", "gateway.reload.mode"],
      "hybrid",
      { restart: false, hot: [] },
    ],
    [["gateway.port", "gateway.bind"], "hybrid", { restart: false, hot: ["server"] }],
    [["gateway.tls.enabled"], "hot", { restart: false, hot: ["server"] }],
    [["hooks.gmail.account"], "hybrid", { restart: false, hot: ["gmail"] }],
    [["hooks.token", "cron.enabled"], "hybrid", { restart: false, hot: ["hooks", "cron"] }],
    [["agents.defaults.heartbeat.every"], "hybrid", { restart: false, hot: ["heartbeat"] }],
    [
      ["channels.telegram.botToken", "channels.telegram.enabled", "channels.whatsapp.enabled"],
      "hybrid",
      { restart: false, hot: ["channel:telegram", "channel:whatsapp"] },
    ],
    [
      ["channels.matrix.accounts.work.homeserver", "channels.whatsapp-cloud.enabled"],
      "hybrid",
      { restart: false, hot: ["channel:matrix", "channel:whatsapp-cloud"] },
    ],
    [["channels.defaults.groupPolicy"], "hybrid", { restart: false, hot: ["channels"] }],
    [["channels.telegram.allowFrom"], "hot", { restart: false, hot: ["channel:telegram"], waiting: [] }],
    [
      ["bindings", "messages.queue.mode", "messages.ackReaction", "session.dmScope"],
      "hybrid",
      { restart: false, hot: [] },
    ],
    [
      [
        "commands.ownerAllowFrom",
        "approvals.exec.enabled",
        "media.preserveFilenames",
        "audio.transcription.command",
        "tools.message.broadcast",
      ],
      "hybrid",
      { restart: false, hot: [] },
    ],
    [["browser.enabled", "gateway.port"], "hybrid", { restart: true, hot: ["server"] }],
    [["browser.enabled", "gateway.port"], "hot", { restart: false, hot: ["server"], waiting: ["browser.enabled"] }],
    [["env.vars.A"], "hybrid", { restart: true, hot: [] }],
    [["memory.backend"], "hybrid", { restart: true, hot: [] }],
    [["gateway.nodes.browser.mode"], "hybrid", { restart: true, hot: [] }],
    [["logging.level"], "restart", { restart: true, hot: [] }],
    [["browser.enabled"], "off", { restart: false, hot: [] }],
    [[], "restart", { restart: false, hot: [] }],
  ])("%j in mode %s", (changed, mode, expected) => {
    expect(planReload(changed, mode)).toEqual({ changed, waiting: [], ...expected });
  });
});

describe("reading again", () => {
  it("reports each changed place once", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { port: 1 } } });
    const store = state.open();
    expect(store.reload()).toEqual({ kind: "unchanged" });
    state.write(CONFIG, { gateway: { port: 2 }, agents: { list: [{ id: "a" }] } });
    const report = store.reload();
    expect(report.kind === "applied" && report.plan.changed).toEqual(["gateway.port", "agents.list"]);
    expect(store.current().gateway?.port).toBe(2);
    expect(store.reload()).toEqual({ kind: "unchanged" });
  });

  it("asks nothing of anybody because of keys that have no effect, and tells that they are others now", () => {
    const used = { gateway: { reload: { mode: "restart" } }, agents: { list: [{ id: "a" }] } };
    using state = temporaryState({ [CONFIG]: used });
    const store = state.open();
    state.write(CONFIG, {
      ...used,
      agents: { list: [{ id: "a", params: { x: 1 } }] },
      browser: { enabled: true },
      web: { enabled: true },
      env: { shellEnv: { enabled: true } },
    });
    const report = store.reload();
    expect(report).toMatchObject({ kind: "applied", plan: { restart: false, hot: [], waiting: [] } });
    const told = ["agents.list", "browser.enabled", "env.shellEnv.enabled", "web.enabled"];
    expect(report.kind === "applied" && report.plan.changed.toSorted()).toEqual(told);
    expect(store.current()).toEqual({ ...used, env: {} });
    expect(store.reload()).toEqual({ kind: "unchanged" });
  });

  it("reports nothing when only comments, spacing or the order changed", () => {
    using state = temporaryState({ [CONFIG]: '{"gateway":{"port":1,"bind":"lan"}}' });
    const store = state.open();
    state.write(CONFIG, "// new\n{ gateway: { bind: 'lan', port: 1 } }");
    expect(store.reload()).toEqual({ kind: "unchanged" });
    expect(store.snapshot().hash).toBe(store.describe().hash);
  });

  it("keeps the config in use when the file is broken, says so once, and takes the repaired one", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { port: 1 } } });
    const store = state.open();
    state.write(CONFIG, "{\n  gateway: {\n    port: 'x',\n  },\n}");
    const report = store.reload();
    expect(report.kind).toBe("broken");
    expect(report.kind === "broken" && report.says).toMatch(
      /line 3: gateway\.port: "x" is not allowed.*last good version is in use/,
    );
    expect(store.current().gateway?.port).toBe(1);
    expect(store.snapshot().source).toBe("last-good");
    expect(store.reload()).toEqual({ kind: "unchanged" });
    state.write(CONFIG, { gateway: { port: 1 } });
    expect(store.reload()).toMatchObject({ kind: "applied", plan: { changed: [], restart: false } });
    expect(store.snapshot().source).toBe("file");
    // Both reach the terminal, which shows warnings and errors.
    expect(state.logged.map((line) => line.split(" ", 1)[0])).toEqual(["warn"]);
    expect(state.logged[0]).toContain("can be read again and is used from now on");
  });

  it("keeps the config in use when the file is gone", () => {
    using state = temporaryState({ [CONFIG]: { gateway: { port: 1 } } });
    const store = state.open();
    rmSync(state.paths.configPath);
    expect(store.reload().kind).toBe("gone");
    expect(store.reload().kind).toBe("unchanged");
    expect(store.current().gateway?.port).toBe(1);
    state.write(CONFIG, { gateway: { port: 1 } });
    store.reload();
    expect(state.logged.join("\n")).toMatch(/^warn .*can be read again and is used from now on/);
  });

  it("says nothing of a file that is made for the first time", () => {
    using state = temporaryState({});
    const store = state.open();
    store.setPath("gateway.port", 1);
    expect(store.snapshot().source).toBe("file");
    expect(state.logged).toEqual([]);
  });

  it("sees changes in included files and in .env", () => {
    using state = temporaryState({
      [CONFIG]: { $include: "a.json" },
      "a.json": { ui: { assistant: { name: "${WHO}" } } },
      ".env": "WHO=one",
    });
    const store = state.open();
    state.write(".env", "WHO=two");
    expect(store.reload().kind).toBe("applied");
    expect(store.current().ui?.assistant?.name).toBe("two");
  });
});

/** A watching store, and a way to wait until it has noticed something and planned its look at the file. */
function watching(state: TemporaryState): {
  store: ConfigStore;
  reports: ReloadReport[];
  noticed: () => Promise<number>;
  pass: () => Promise<void>;
} {
  const waiting: Array<(ms: number) => void> = [];
  const planned: number[] = [];
  const clock: Clock = {
    now: () => state.clock.now(),
    steady: () => state.clock.steady(),
    after(ms, task) {
      const cancel = state.clock.after(ms, task);
      const next = waiting.shift();
      if (next) next(ms);
      else planned.push(ms);
      return cancel;
    },
  };
  const { paths } = state;
  const log = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  const store = createConfigStore({ paths, env: {}, clock, log, version: "1" });
  const reports: ReloadReport[] = [];
  store.watch((report) => reports.push(report));
  return {
    store,
    reports,
    noticed: () =>
      new Promise((resolve) => (planned.length > 0 ? resolve(planned.shift() ?? 0) : waiting.push(resolve))),
    async pass() {
      await state.clock.advance(1000);
      planned.length = 0;
    },
  };
}

describe("watching", () => {
  it("hears of a file that was replaced, after the pause the config asks for", async () => {
    using state = temporaryState({ [CONFIG]: { gateway: { reload: { debounceMs: 70 } } } });
    const { store, reports, noticed, pass } = watching(state);
    writeFileSync(`${state.paths.configPath}.new`, JSON.stringify({ logging: { level: "warn" } }));
    renameSync(`${state.paths.configPath}.new`, state.paths.configPath);
    expect(await noticed()).toBe(70);
    expect(store.current().logging).toBeUndefined();
    await pass();
    expect(store.current().logging?.level).toBe("warn");
    expect(reports.filter((report) => report.kind === "applied")).toHaveLength(1);
    store.close();
  });

  it("hears of changes in an included file in another directory", async () => {
    using state = temporaryState({ [CONFIG]: { $include: "parts/a.json" }, "parts/a.json": { gateway: { port: 1 } } });
    const { store, noticed, pass } = watching(state);
    state.write("parts/a.json", { gateway: { port: 2 } });
    await noticed();
    await pass();
    expect(store.current().gateway?.port).toBe(2);
    store.close();
  });

  it("waits a little for a file that is gone, as editors take it away for a moment", async () => {
    using state = temporaryState({ [CONFIG]: { gateway: { port: 1 } } });
    const { store, reports, noticed } = watching(state);
    rmSync(state.paths.configPath);
    await noticed();
    await state.clock.advance(300);
    expect(reports).toEqual([]);
    state.write(CONFIG, { gateway: { port: 2 } });
    await state.clock.advance(1000);
    expect(reports.map((report) => report.kind)).toEqual(["applied"]);
    expect(store.current().gateway?.port).toBe(2);
    store.close();
  });

  it("does nothing by itself when reloading is off", async () => {
    using state = temporaryState({ [CONFIG]: { gateway: { port: 1, reload: { mode: "off" } } } });
    const { store, reports, noticed, pass } = watching(state);
    state.write(CONFIG, { gateway: { port: 2 } });
    await noticed();
    await pass();
    expect(reports).toEqual([]);
    expect(store.current().gateway?.port).toBe(1);
    store.close();
  });
});
