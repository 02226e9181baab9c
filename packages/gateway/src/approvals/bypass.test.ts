// Nothing gets past the allow-list: a corpus of tricks, and the innocent commands that must still pass.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld, listOf, type ApprovalsWorld } from "./approvals-world.test-support.ts";
import { ARGUMENT_TRICKS, RUNNER_TRICKS, SAFE_BIN_TRICKS, SHELL_TRICKS } from "./bypass-corpus.test-support.ts";

const corpora = [SHELL_TRICKS, RUNNER_TRICKS, SAFE_BIN_TRICKS, ARGUMENT_TRICKS];
const tricks = corpora.flatMap((corpus) => Object.values(corpus).flat());

/** Every word a trick could mean as a program, so that none is refused for being absent. */
const programs = [
  ...new Set(
    [...tricks, "deploy", "grep"]
      .flatMap((trick) => trick.split(/[^\w.+-]+/))
      .filter((word) => /^[A-Za-z0-9][\w.+-]*$/.test(word) && word !== "link-to-head"),
  ),
];

/** Refused without a question: no such file, or no text a program could be given. */
const CANNOT_RUN = [
  "ls \u0000",
  "ls \ud800",
  "./head -5",
  "bin/head -5",
  "/tmp/head -5",
  "../workspace/head -5",
  "./git status",
];

let world: ApprovalsWorld;
beforeAll(() => {
  world = createWorld(programs);
  world.person.answer = "deny";
  writeFileSync(join(world.workspace, "notes.txt"), "notes");
  writeFileSync(join(world.workspace, "build.py"), "print()");
  symlinkSync(join(world.bin, "head"), join(world.bin, "link-to-head"));
});
afterAll(() => world[Symbol.dispose]());

const everyProgram = () => listOf({ pattern: `${world.bin}/**` }, ...programs.map((name) => ({ pattern: name })));
const nothing = () => listOf();
const exactCommands = () =>
  listOf(
    { pattern: `${world.bin}/git`, argv: ["status"] },
    { pattern: `${world.bin}/npm`, argv: ["test"] },
    { pattern: `${world.bin}/python3`, argv: ["build.py"] },
    { pattern: `${world.bin}/make`, argv: [] },
    { pattern: `${world.bin}/deploy`, argPattern: "--to staging" },
  );

test("the corpus is large", () => {
  expect(new Set(tricks).size).toBeGreaterThan(600);
});

describe.each([
  ["every program allowed by its path: shell", SHELL_TRICKS, everyProgram],
  ["every program allowed by its path: programs", RUNNER_TRICKS, everyProgram],
  ["nothing allowed but safe filters", SAFE_BIN_TRICKS, nothing],
  ["exact commands allowed", ARGUMENT_TRICKS, exactCommands],
])("with %s", (_name, corpus, list) => {
  beforeAll(() => world.writeList(list()));
  test.each(Object.keys(corpus))("no trick with %s is allowed", async (kind) => {
    const unasked: string[] = [];
    for (const command of corpus[kind] ?? []) {
      const decision = await world.decide(command);
      expect(decision.kind, JSON.stringify(command)).toBe("denied");
      if (!decision.asked) unasked.push(command);
    }
    // All others reach a person, so they are not refused for some unrelated reason.
    expect(unasked).toEqual((corpus[kind] ?? []).filter((command) => CANNOT_RUN.includes(command)));
    expect(world.logged).toEqual([]);
  });
});

describe("innocent commands are allowed without a question", () => {
  test.each([
    "ls",
    "ls -la",
    "ls -la /etc",
    "cat notes.txt",
    "cat 'a file with spaces.txt' \"and another\"",
    "grep -rn needle src",
    "grep -E '^(a|b)*$' notes.txt",
    "ls | grep x",
    "ls && cat notes.txt || cat other.txt ; ls",
    "echo 'cost: $5 & more > less; `x`'",
    "echo a\\ b \\$HOME \\*",
    "echo HEAD~1 user@host a,b 50% k=v http://x.y/z+1",
    "echo 'grüße 你好 🙂'",
    "  ls   -la  ",
    "cat notes.txt|grep a|cat",
    "ls;ls",
  ])("%s", async (command) => {
    world.writeList(everyProgram());
    expect(await world.decide(command)).toMatchObject({
      kind: "allowed",
      asked: false,
      plan: { how: { kind: "direct" } },
    });
  });

  test.each([
    "head -5",
    "head -n 5",
    "head -n5",
    "head --lines=5",
    "tail -n 20",
    "wc -l",
    "wc -lw",
    "cut -d, -f1,2",
    "cut -d ' ' -f 2",
    "uniq -c",
    "tr -d x",
    "tr a-z A-Z",
    "jq .",
    "jq -r '.items[] | select(.name == \"env\") | {id, name: .name, env: .x}'",
    "jq -c 'map(.a) | length'",
    "head -3 | cut -f1 | uniq -c | wc -l",
  ])("as a safe filter: %s", async (command) => {
    world.writeList(nothing());
    expect(await world.decide(command)).toMatchObject({ kind: "allowed", asked: false });
  });

  test.each(["git status", "npm test", "python3 build.py", "make", "deploy --to staging", "git status && make"])(
    "as an exact command: %s",
    async (command) => {
      world.writeList(exactCommands());
      expect(await world.decide(command)).toMatchObject({ kind: "allowed", asked: false });
    },
  );
});

describe("a file that stands where a program is expected", () => {
  test("relative and empty entries of PATH are not searched, nor the working directory", async () => {
    using here = createWorld();
    here.writeList(listOf({ pattern: "/**" }));
    writeFileSync(join(here.workspace, "tool"), "#!/bin/sh\n", { mode: 0o755 });
    for (const PATH of [".", "", ":", "./:", "..", "workspace", "../workspace"]) {
      expect(await here.decide("tool", { env: { PATH } }), PATH).toMatchObject({ kind: "denied", asked: false });
    }
    expect(await here.decide("tool", { env: {} })).toMatchObject({ kind: "denied", asked: false });
  });

  test("the first program in PATH counts, so one planted before the allowed one is asked about", async () => {
    using here = createWorld(["ls", "early/ls"]);
    here.person.answer = "deny";
    here.writeList(listOf({ pattern: `${here.bin}/ls` }));
    expect(await here.decide("ls")).toMatchObject({ kind: "allowed" });
    const env = { PATH: `${here.bin}/early:${here.bin}` };
    expect(await here.decide("ls", { env })).toMatchObject({ kind: "denied", asked: true });
  });

  test("a link with an innocent name is judged by what it leads to", async () => {
    using here = createWorld(["python3", "danger", "tool"]);
    here.person.answer = "deny";
    mkdirSync(join(here.bin, "links"));
    symlinkSync(join(here.bin, "python3"), join(here.bin, "links/ls"));
    symlinkSync(join(here.bin, "danger"), join(here.bin, "links/cat"));
    here.writeList(listOf({ pattern: `${here.bin}/links/*` }, { pattern: "cat" }, { pattern: `${here.bin}/python3` }));
    for (const word of ["ls", "cat"]) {
      expect(await here.decide(`${here.bin}/links/${word}`)).toMatchObject({ kind: "denied", asked: true });
    }
  });

  test("a program with many names is not allowed under another name", async () => {
    using here = createWorld(["multi"]);
    here.person.answer = "deny";
    symlinkSync(join(here.bin, "multi"), join(here.bin, "show"));
    symlinkSync(join(here.bin, "multi"), join(here.bin, "erase"));
    here.writeList(
      listOf({ pattern: `${here.bin}/show` }, { pattern: `${here.bin}/multi`, name: "show", argv: ["x"] }),
    );
    expect(await here.decide("show")).toMatchObject({ kind: "allowed" });
    expect(await here.decide("show x")).toMatchObject({ kind: "allowed" });
    for (const command of ["erase", "erase x"])
      expect(await here.decide(command)).toMatchObject({ kind: "denied", asked: true });
  });

  test("a way through a linked directory is followed as the system does", async () => {
    using here = createWorld(["ls", "deep/inner/x"]);
    here.person.answer = "deny";
    symlinkSync(join(here.bin, "deep/inner"), join(here.workspace, "link"));
    here.addProgram("deep/ls");
    here.writeList(listOf({ pattern: `${here.workspace}/ls` }, { pattern: `${here.bin}/ls` }));
    writeFileSync(join(here.workspace, "ls"), "#!/bin/sh\n", { mode: 0o755 });
    expect(await here.decide("link/../ls")).toMatchObject({ kind: "denied", asked: true });
  });

  test.each([
    ["a program every user can write", (path: string) => chmodSync(path, 0o757)],
    ["a program in a directory every user can write", (path: string) => chmodSync(join(path, ".."), 0o777)],
  ])("%s is asked about", async (_name, spoil) => {
    using here = createWorld(["sub/tool"]);
    here.person.answer = "deny";
    here.writeList(listOf({ pattern: `${here.bin}/**` }));
    const env = { PATH: `${here.bin}/sub` };
    expect(await here.decide("tool", { env })).toMatchObject({ kind: "allowed" });
    spoil(join(here.bin, "sub/tool"));
    expect(await here.decide("tool", { env })).toMatchObject({ kind: "denied", asked: true });
  });

  test("directories, plain files and absent programs are refused with a sentence", async () => {
    using here = createWorld();
    mkdirSync(join(here.bin, "folder"));
    writeFileSync(join(here.bin, "plain"), "text", { mode: 0o644 });
    for (const word of ["folder", "plain", "absent"]) {
      const outcome = await here.decide(word);
      expect(outcome).toMatchObject({
        kind: "denied",
        asked: false,
        why: expect.stringContaining(`no program named "${word}"`),
      });
    }
  });
});

describe("variables that could change what an allowed program does", () => {
  test.each([
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "BASH_ENV",
    "ENV",
    "NODE_OPTIONS",
    "PYTHONPATH",
    "PERL5OPT",
    "GIT_SSH_COMMAND",
    "PAGER",
    "LESSOPEN",
    "IFS",
    "XDG_CONFIG_HOME",
    "lang",
    "LC_x",
  ])("%s is asked about", async (name) => {
    world.writeList(everyProgram());
    expect(await world.decide("ls", { env: { PATH: world.bin, [name]: "x" } })).toMatchObject({
      kind: "denied",
      asked: true,
    });
  });

  test("what the operator gives to every command is fine, with that value", async () => {
    using here = createWorld(["ls"]);
    here.person.answer = "deny";
    here.settings = { ...here.settings, environment: { EDITOR: "nano" } };
    here.writeList(listOf({ pattern: `${here.bin}/ls` }));
    const withEditor = (EDITOR: string) =>
      here.decide("ls", { env: { PATH: here.bin, EDITOR, LC_ALL: "C", TZ: "UTC" } });
    expect(await withEditor("nano")).toMatchObject({ kind: "allowed" });
    expect(await withEditor("evil")).toMatchObject({ kind: "denied", asked: true });
  });
});

test("an allowed program does not reach the file that allows it", async () => {
  using here = createWorld(["cp", "tee", "cat", "ls"]);
  here.person.answer = "deny";
  here.writeList(listOf({ pattern: `${here.bin}/*` }));
  symlinkSync(here.state, join(here.workspace, "shortcut"));
  const attempts = [
    `cp evil.json ${here.path}`,
    "cp evil.json ../state/exec-approvals.json",
    "cp evil.json shortcut/exec-approvals.json",
    "cp -t../state evil.json",
    "cp --target-directory=../state evil.json",
    "cp -r evil ..",
    "cp -r evil /",
    `tee ${here.state}/openclaw.json`,
    "cp evil.json ../state/devices/paired.json",
    "cp -r evil ../state/workspace/..",
    "cat ../state/exec-approvals.json",
  ];
  for (const command of attempts)
    expect(await here.decide(command), command).toMatchObject({ kind: "denied", asked: true });
  for (const command of ["cp a b", "ls ..", "cp a ../workspace/b", "cp a ../state/workspace-main/b"]) {
    expect(await here.decide(command), command).toMatchObject({ kind: "allowed" });
  }
});
