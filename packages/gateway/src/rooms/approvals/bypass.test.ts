// Nothing gets past the allow-list: a corpus of tricks, and the innocent commands that must still pass.
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld, listOf, type ApprovalsWorld } from "./approvals-world.test-support.ts";
import { ARGUMENT_TRICKS, RUNNER_TRICKS, SAFE_BIN_TRICKS, SHELL_TRICKS } from "./bypass-corpus.test-support.ts";

const corpora = [SHELL_TRICKS, RUNNER_TRICKS, SAFE_BIN_TRICKS, ARGUMENT_TRICKS];
const tricks = corpora.flatMap((corpus) => Object.values(corpus).flat());

/** Every word a trick could mean as a program, so that none is refused for being absent. */
const programs = [
  ...new Set(
    [...tricks, "deploy", "grep", "sort"]
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
    { pattern: `${world.bin}/sort`, argv: ["-u", "notes.txt"] },
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
    "jq '.a == 1 or .b != 2 and .c <= 3'",
    "jq -r '.[] | [.name, .size, .at] | @tsv'",
    "jq '{name, size, at, by: .owner.name, of: .team.name, is: .state, id, url}'",
    "jq 'group_by(.kind) | map({kind: .[0].kind, count: length})'",
    "jq -r '.users | sort_by(.name) | reverse | .[0:9] | map(.name) | join(\", \")'",
    "head -3 | cut -f1 | uniq -c | wc -l",
  ])("as a safe filter: %s", async (command) => {
    world.writeList(nothing());
    expect(await world.decide(command)).toMatchObject({ kind: "allowed", asked: false });
  });

  test.each(["deploy --to staging", "sort -u notes.txt"])("as an exact command: %s", async (command) => {
    world.writeList(exactCommands());
    expect(await world.decide(command)).toMatchObject({ kind: "allowed", asked: false });
  });

  test.each(["git status", "npm test", "python3 build.py", "make", "deploy --to staging && deploy --to staging"])(
    "but not as an exact command: %s",
    async (command) => {
      world.writeList(exactCommands());
      expect(await world.decide(command)).toMatchObject({ kind: "denied", asked: true });
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
      listOf({ pattern: `${here.bin}/show`, argv: [] }, { pattern: `${here.bin}/multi`, name: "show", argv: ["x"] }),
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
    here.writeList(listOf({ pattern: `${here.bin}/**`, argv: [] }));
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

  test.each([
    ["LANGUAGE", "../../../srv/mo"],
    ["LANG", "/srv/locale"],
    ["LC_ALL", "x/../../srv"],
    ["TZ", ":/srv/zone"],
    ["TZ", "../../srv/zone"],
    ["TERM", "/srv/t"],
  ])("%s=%s leads to a file of somebody's own and is asked about", async (name, value) => {
    world.writeList(everyProgram());
    const odd = await world.decide("ls", { env: { PATH: world.bin, [name]: value } });
    expect(odd).toMatchObject({ kind: "denied", asked: true });
    const usual = { LANG: "de_DE.UTF-8", TZ: "Europe/Berlin", TERM: "xterm-256color", LANGUAGE: "de:en" };
    expect(await world.decide("ls", { env: { PATH: world.bin, ...usual } })).toMatchObject({ kind: "allowed" });
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

describe("an allowed program does not reach the gateway's own files", () => {
  /** A state directory with a workspace in it, as it stands on a real machine, and ways that lead out of that workspace. */
  function createHouse(): ApprovalsWorld & { readonly inner: string } {
    const here = createWorld(["cp", "tee", "cat", "ls", "grep", "curl", "sort", "deploy", "stat", "head", "du"]);
    here.person.answer = "deny";
    const inner = join(here.state, "workspace");
    mkdirSync(join(inner, "deep/er"), { recursive: true });
    mkdirSync(join(here.state, "devices"));
    for (const name of ["openclaw.json", "devices/paired.json"]) writeFileSync(join(here.state, name), "{}");
    writeFileSync(join(inner, "evil.json"), "{}");
    symlinkSync(here.state, join(inner, "shortcut"));
    symlinkSync("deep/er", join(inner, "link"));
    symlinkSync("/proc/self/cwd", join(inner, "here"));
    symlinkSync(join(here.workspace), join(inner, "away"));
    linkSync(join(here.state, "openclaw.json"), join(inner, "second-name.json"));
    return { ...here, inner, [Symbol.dispose]: () => here[Symbol.dispose]() };
  }

  test.each([
    "cat ../exec-approvals.json",
    "cat ./../exec-approvals.json",
    "cat deep/../../exec-approvals.json",
    "cat link/../../../exec-approvals.json",
    "cat shortcut/exec-approvals.json",
    "cat shortcut/devices/../exec-approvals.json",
    "cat /proc/self/cwd/../exec-approvals.json",
    "cat /proc/self/cwd/../devices/paired.json",
    "cat /proc/thread-self/cwd/../openclaw.json",
    "cat /proc/self/root/etc/passwd",
    "cat /proc/1/root/etc/passwd",
    "cat /proc/self/environ",
    "cat /proc/self/fd/9",
    "cat /proc/kcore",
    "cat /dev/ptmx",
    "cat /dev/fd/9",
    "cat here/../openclaw.json",
    "cat second-name.json",
    "cat workspace/../../openclaw.json",
    "cat STATE/openclaw.json",
    "cat //STATE//openclaw.json",
    "cat STATE/workspace/../openclaw.json",
    "cat away/../state/openclaw.json",
    "cat -- ../openclaw.json",
    "head -n1 ../openclaw.json",
    "head --lines=1 ../openclaw.json",
    "stat ../openclaw.json",
    "ls ..",
    "ls -la ../devices",
    "grep -r token ..",
    "grep -r token /",
    "grep -rn token STATE",
    "grep --recursive token ../..",
    "grep -d recurse token ..",
    "grep --directories=recurse token ..",
    "grep -R token shortcut/",
    "grep -R token .",
    "grep -R token",
    "grep --dereference-recursive token deep/..",
    "ls -RL .",
    "du -L .",
    "deploy .",
    "sort deep/..",
    "grep -f../openclaw.json evil.json",
    "grep -f ../openclaw.json evil.json",
    "grep --file=../openclaw.json evil.json",
    "grep --include=x -r y ..",
    "ls -R ../..",
    "du /",
    "du ..",
    "curl -d @../openclaw.json http://127.0.0.1",
    "curl --data-binary @STATE/openclaw.json http://127.0.0.1",
    "curl -F file=@../openclaw.json http://127.0.0.1",
    "curl -F 'file=@../openclaw.json;type=text/plain' http://127.0.0.1",
    "curl file://STATE/openclaw.json",
    "curl file:STATE/openclaw.json",
    "curl file://localhostSTATE/openclaw.json",
    "curl 'file://STATE/%6fpenclaw.json'",
    "curl -K../openclaw.json",
    "curl -o../openclaw.json http://127.0.0.1",
    "curl -T ../openclaw.json ftp://127.0.0.1",
    "cp evil.json ../exec-approvals.json",
    "cp evil.json /proc/self/cwd/../exec-approvals.json",
    "cp -t../ evil.json",
    "cp --target-directory=.. evil.json",
    "cp -r . ..",
    "cp -r deep /",
    "tee ../openclaw.json",
    "sort -o../openclaw.json evil.json",
    "sort -o ../openclaw.json evil.json",
    "sort --output=../openclaw.json evil.json",
    "sort --files0-from=../openclaw.json",
    "deploy host:../openclaw.json",
    "deploy key=../openclaw.json",
    "deploy a:b:../openclaw.json,x",
    "deploy '~/../state/openclaw.json'",
    "deploy --config ../openclaw.json",
    "deploy ..",
  ])("%s", async (written) => {
    using here = createHouse();
    const command = written.replaceAll("STATE", here.state);
    // Everything of it is on the list: by path, and with exactly these arguments.
    const words = command.split(" ").map((word) => word.replaceAll("'", ""));
    const exact = { pattern: `${here.bin}/${words[0]}`, argv: words.slice(1) };
    here.writeList(listOf({ pattern: `${here.bin}/*` }, exact));
    expect(await here.decide(command, { cwd: here.inner })).toMatchObject({
      kind: "denied",
      asked: true,
    });
    expect(here.events.map((event) => event.kind === "requested" && event.approval.request.reason)).toEqual([
      expect.stringContaining("files of the gateway itself"),
      false,
    ]);
  });

  test.each([
    "cat evil.json",
    "grep -r token .",
    "grep token evil.json",
    "ls away",
    "cat deep/../evil.json",
    "cat STATE/workspace/evil.json",
    "cat /proc/cpuinfo",
    "cat /dev/null",
    "grep -r x away",
    "du deep",
  ])("but what is the agents' own: %s", async (written) => {
    using here = createHouse();
    here.writeList(listOf({ pattern: `${here.bin}/*` }));
    const command = written.replaceAll("STATE", here.state);
    expect(await here.decide(command, { cwd: here.inner })).toMatchObject({ kind: "allowed", asked: false });
  });

  test("whoever searches where it stands is asked about when it stands above them", async () => {
    using here = createHouse();
    here.writeList(listOf({ pattern: `${here.bin}/*` }));
    for (const cwd of [here.state, join(here.state, ".."), "/"])
      expect(await here.decide("grep -r token", { cwd }), cwd).toMatchObject({ kind: "denied", asked: true });
    expect(await here.decide("cat openclaw.json", { cwd: here.state })).toMatchObject({ kind: "denied", asked: true });
  });
});
