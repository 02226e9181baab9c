import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Pointer } from "./room.ts";
import { createBench, createKeyring, read, type VaultBench } from "./vault.test-support.ts";

let bench: VaultBench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench[Symbol.dispose]());

const put = (content: Pointer, more = {}) => bench.open(more).put([{ id: "p", service: "s", content }]);
const secretFile = (name = "secret.txt", text = "from-a-file\n", mode = 0o600): string => {
  const path = join(bench.stateDir, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};
/** A program of ours in a directory that the test trusts. */
const program = (body: string, mode = 0o755): { pointer: Pointer; trustedDirectories: string[] } => {
  const directory = join(bench.stateDir, "bin");
  mkdirSync(directory, { recursive: true });
  const command = join(directory, "hand-out");
  writeFileSync(command, `#!/bin/sh\n${body}\n`);
  chmodSync(command, mode);
  return { pointer: { kind: "exec", command, args: [] }, trustedDirectories: [directory] };
};

describe("pointers that are followed", () => {
  test("a variable, as it is now", async () => {
    let env: Record<string, string> = { KEY: "first" };
    const vault = bench.open({ env: () => env });
    await vault.put([{ id: "p", service: "s", content: { kind: "env", name: "KEY" } }]);
    expect(read(vault, "p")).toBe("first");
    env = {};
    expect(read(vault, "p")).toBe("unreadable: the environment variable KEY is not set");
  });

  test("a private file, without the line break at its end", async () => {
    await put({ kind: "file", path: secretFile() });
    expect(read(bench.open(), "p")).toBe("from-a-file");
  });

  test("an item of the keyring", async () => {
    const keyring = createKeyring();
    keyring.items.set("mail/me", "from-the-keyring");
    await put({ kind: "keyring", service: "mail", account: "me" });
    expect(read(bench.open({ keyring }), "p")).toBe("from-the-keyring");
    expect(read(bench.open(), "p")).toContain("there is no keyring");
  });

  test("a program, with its arguments as they are and next to no environment", async () => {
    const { pointer, trustedDirectories } = program('echo "$1|$CANARY|$HOME"');
    const env = () => ({ CANARY: "leaked", HOME: "/home/me" });
    const content = { ...pointer, args: ["$(id); *"] } as Pointer;
    const vault = bench.open({ trustedDirectories, env });
    await vault.put([{ id: "p", service: "s", content }]);
    expect(read(vault, "p")).toBe("$(id); *||/home/me");
    expect(bench.told).toContain("$(id); *||/home/me");
  });

  test("what a program said holds for five minutes, and is then asked for beside everything else", async () => {
    const path = secretFile("answer", "one\n");
    const { pointer, trustedDirectories } = program(`cat ${path}`);
    const vault = bench.open({ trustedDirectories });
    await vault.put([{ id: "p", service: "s", content: pointer }]);
    expect(read(vault, "p")).toBe("one");
    writeFileSync(path, "two\n");
    expect(read(vault, "p")).toBe("one");
    const { promise: changed, resolve } = Promise.withResolvers<void>();
    vault.onChange(resolve);
    const stamp = vault.stamp();
    await bench.clock.advance(5 * 60_000 + 1);
    expect(read(vault, "p")).toBe("one");
    await changed;
    expect(read(vault, "p")).toBe("two");
    expect(vault.stamp()).not.toBe(stamp);
  });
});

describe("pointers that are refused before they are kept", () => {
  const keyring = (service: string, account: string): Pointer => ({ kind: "keyring", service, account });
  const cases: Array<[string, () => Pointer, RegExp]> = [
    ["a relative program", () => ({ kind: "exec", command: "op", args: [] }), /no absolute path/],
    ["a program elsewhere", () => ({ kind: "exec", command: "/tmp/op", args: [] }), /whose programs are trusted/],
    [
      "a way out of a trusted directory",
      () => ({ kind: "exec", command: "/usr/bin/../../tmp/op", args: [] }),
      /trusted/,
    ],
    [
      "a program that is not there",
      () => ({ kind: "exec", command: "/usr/bin/no-such-program", args: [] }),
      /does not exist/,
    ],
    ["a relative file", () => ({ kind: "file", path: "secret.txt" }), /no absolute path/],
    ["a file others can read", () => ({ kind: "file", path: secretFile("open", "x", 0o644) }), /others can read/],
    ["a file its group can read", () => ({ kind: "file", path: secretFile("group", "x", 0o640) }), /others can read/],
    ["a directory", () => ({ kind: "file", path: bench.stateDir }), /is not a file/],
    ["a name in the keyring that is an option", () => keyring("--unlock", "me"), /cannot be a name in the keyring/],
    ["an account in the keyring that is one", () => keyring("mail", "-x"), /cannot be a name in the keyring/],
    ["a variable with an odd name", () => ({ kind: "env", name: "A=B" }), /no name of a variable/],
    [
      "a link",
      () => {
        const path = join(bench.stateDir, "link");
        symlinkSync(secretFile(), path);
        return { kind: "file", path };
      },
      /is a link/,
    ],
    [
      "a file in a workspace",
      () => {
        mkdirSync(join(bench.stateDir, "workspace"));
        return { kind: "file", path: secretFile("workspace/key") };
      },
      /lies in the workspace/,
    ],
    [
      "a file in a workspace, by a link to its directory",
      () => {
        mkdirSync(join(bench.stateDir, "workspace"));
        secretFile("workspace/key");
        symlinkSync(join(bench.stateDir, "workspace"), join(bench.stateDir, "way-in"));
        return { kind: "file", path: join(bench.stateDir, "way-in", "key") };
      },
      /lies in the workspace/,
    ],
    [
      "a file that is far too large",
      () => ({ kind: "file", path: secretFile("large", "x".repeat(70_000)) }),
      /too large/,
    ],
  ];
  test.each(cases)("%s", async (_what, make, says) => {
    await expect(put(make())).rejects.toMatchObject({
      code: "CREDENTIAL_REFUSED",
      detail: expect.stringMatching(says),
    });
    expect(bench.open().list()).toEqual([]);
  });

  test("a program that others may change", async () => {
    const { pointer, trustedDirectories } = program("echo x", 0o777);
    await expect(put(pointer, { trustedDirectories })).rejects.toMatchObject({
      detail: expect.stringMatching(/may change/),
    });
  });

  test("what became unsafe later is not read any more", async () => {
    const path = secretFile();
    await put({ kind: "file", path });
    chmodSync(path, 0o644);
    expect(read(bench.open(), "p")).toMatch(/unreadable: others can read/);
  });
});

describe("a program that does not do what it should", () => {
  test.each([
    ["fails", "echo canary; exit 3", /ended with 3/],
    ["says nothing", "true", /printed nothing/],
    ["says too much", "head -c 200000 /dev/zero | tr '\\0' x", /far too much/],
  ])("%s", async (_what, body, says) => {
    const { pointer, trustedDirectories } = program(body);
    const vault = bench.open({ trustedDirectories });
    await vault.put([{ id: "p", service: "s", content: pointer }]);
    expect(read(vault, "p")).toMatch(says);
    expect(read(vault, "p")).not.toContain("canary");
  });
});

describe("secrets.providers of the configuration", () => {
  const settings = (path: string) => ({
    providers: {
      vars: { source: "env" as const, allowlist: ["GOOD"] },
      one: { source: "file" as const, path, mode: "singleValue" as const },
      many: { source: "file" as const, path, mode: "json" as const },
      prog: { source: "exec" as const, command: "/usr/bin/cat", args: [path], jsonOnly: false },
    },
    defaults: { file: "many" },
  });

  test.each([
    [{ source: "env", provider: "vars", id: "GOOD" }, "", "of-env"],
    [{ source: "env", provider: "vars", id: "BAD" }, "", /does not allow the variable BAD/],
    [{ source: "env", provider: "default", id: "BAD" }, "", "of-env"],
    [{ source: "file", provider: "one", id: "value" }, "plain", "plain"],
    [{ source: "file", provider: "many", id: "/a/b~1c" }, '{"a":{"b/c":"deep"}}', "deep"],
    [{ source: "file", id: "/a" }, '{"a":"by-default"}', "by-default"],
    [{ source: "file", provider: "many", id: "/__proto__/x" }, '{"a":"x"}', /holds no text at/],
    [{ source: "exec", provider: "prog", id: "k" }, '{"protocolVersion":1,"values":{"k":"of-program"}}', "of-program"],
    [{ source: "exec", provider: "prog", id: "k" }, "bare", "bare"],
    [{ source: "exec", provider: "prog", id: "k" }, '{"values":{}}', /has no value for "k"/],
    [{ source: "exec", provider: "one", id: "k" }, "x", /has the source "file"/],
    [{ source: "file", provider: "nobody", id: "k" }, "x", /there is no secrets.providers.nobody/],
  ])("%j", (reference, text, expected) => {
    const path = secretFile("provider", text);
    const vault = bench.open({ env: () => ({ GOOD: "of-env", BAD: "of-env" }) });
    const found = vault.follow(reference, settings(path));
    if (typeof expected === "string") expect(found.kind === "found" && found.secret.reveal()).toBe(expected);
    else expect(found).toEqual({ kind: "unreadable", why: expect.stringMatching(expected) });
  });
});
