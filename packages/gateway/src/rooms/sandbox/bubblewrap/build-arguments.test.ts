// The arguments of bubblewrap: what is always there, and what is never shown.
import { describe, expect, it } from "vitest";
import type { SandboxMount } from "@chela/sdk";
import { buildArguments, type ArgumentParts } from "./build-arguments.ts";
import { testProfile } from "./bubblewrap.test-support.ts";

function build(parts: Partial<ArgumentParts> & { mounts?: SandboxMount[] } = {}): string[] {
  const { mounts = [], ...rest } = parts;
  return buildArguments({
    profile: { ...testProfile("/srv/work"), mounts },
    program: { path: "/usr/bin/bwrap", version: "0.8.0", hasSize: true, hasDisableUserns: true },
    system: { arguments: ["--ro-bind", "/usr", "/usr"], devices: [] },
    channel: "/outer/channel",
    extras: [],
    env: {},
    isForTerminal: false,
    ...rest,
  });
}

const has = (args: readonly string[], ...wanted: string[]): boolean =>
  args.some((_, at) => wanted.every((word, offset) => args[at + offset] === word));

describe("arguments of bubblewrap", () => {
  it.each([
    ["--unshare-all"],
    ["--unshare-user"],
    ["--disable-userns"],
    ["--uid", "65534"],
    ["--gid", "65534"],
    ["--cap-drop", "ALL"],
    ["--die-with-parent"],
    ["--new-session"],
    ["--clearenv"],
    ["--remount-ro", "/dev"],
    ["--remount-ro", "/"],
    ["--dir", "/run"],
    ["--ro-bind", "/outer/channel", "/run/chela"],
  ])("always have %s %s", (...wanted: string[]) => {
    expect(has(build(), ...wanted)).toBe(true);
  });

  it("never share the network, and show nothing of the machine for writing", () => {
    const args = build();
    expect(args).not.toContain("--share-net");
    expect(args).not.toContain("--bind");
    expect(args).not.toContain("--cap-add");
  });

  it("bind folders as the profile says, after the private ones", () => {
    const args = build({
      mounts: [
        { outside: "/srv/work", inside: "/workspace", isWritable: true },
        { outside: "/srv/docs", inside: "/home/docs", isWritable: false },
      ],
    });
    expect(has(args, "--bind", "/srv/work", "/workspace")).toBe(true);
    expect(has(args, "--ro-bind", "/srv/docs", "/home/docs")).toBe(true);
    expect(args.lastIndexOf("/home/docs")).toBeGreaterThan(args.indexOf("/home"));
    expect(args.lastIndexOf("/")).toBeGreaterThan(args.lastIndexOf("/home/docs"));
  });

  it("hand over the environment word by word", () => {
    const args = build({ env: { NAME: "a b\n--bind", PATH: "/bin" } });
    expect(has(args, "--setenv", "NAME", "a b\n--bind")).toBe(true);
    expect(has(args, "--setenv", "PATH", "/bin")).toBe(true);
    expect(() => build({ env: { "A=B": "x" } })).toThrow(/cannot be set/);
    expect(() => build({ env: { A: "x\0--bind" } })).toThrow(/cannot be set/);
  });

  it("leave the session to a terminal", () => {
    expect(build({ isForTerminal: true })).not.toContain("--new-session");
  });

  it("do without what an older bubblewrap does not know", () => {
    const program = { path: "/usr/bin/bwrap", version: "0.5.0", hasSize: false, hasDisableUserns: false };
    const args = build({ program });
    expect(args).not.toContain("--size");
    expect(args).not.toContain("--disable-userns");
  });

  it.each<[string, string]>([
    ["/", "/workspace"],
    ["/etc", "/workspace"],
    ["/etc/ssh", "/workspace"],
    ["/proc", "/workspace"],
    ["/sys/fs", "/workspace"],
    ["/dev", "/workspace"],
    ["/run/user/1000", "/workspace"],
    ["/var", "/workspace"],
    ["/srv/docker.sock", "/workspace"],
    ["/srv/../etc", "/workspace"],
    ["srv", "/workspace"],
    ["/srv", "/"],
    ["/srv", "/proc"],
    ["/srv", "/proc/sys"],
    ["/srv", "/usr/bin"],
    ["/srv", "/etc"],
    ["/srv", "/dev/shm"],
    ["/srv", "/run"],
    ["/srv", "/run/chela"],
    ["/srv", "/home/../etc"],
    ["/srv", "workspace"],
    ["/srv\0", "/workspace"],
    ["/srv", "/work\nspace"],
  ])("refuse to show %j as %j", (outside, inside) => {
    expect(() => build({ mounts: [{ outside, inside, isWritable: false }] })).toThrow(
      expect.objectContaining({ code: "SANDBOX_FAILED" }),
    );
  });
});
