// A container that stands is kept only while it reaches no more than is allowed now.
import type { SandboxMount, SandboxProfile } from "@chela/sdk";
import { expect, it } from "vitest";
import { describeReach, isWithinReach } from "./reach.ts";

const WORKSPACE: SandboxMount = { outside: "/home/a/workspace", inside: "/workspace", isWritable: true };
const cover = (name: string): SandboxMount => ({
  outside: "/state/blank-file",
  inside: `/workspace/${name}`,
  isWritable: false,
});
const profile = (...mounts: SandboxMount[]) => ({ network: { kind: "none" }, mounts }) as unknown as SandboxProfile;
const MADE_WITH = [WORKSPACE, cover("MEMORY.md")] as const;

it.for([
  ["nothing changed", MADE_WITH, true],
  ["a note is covered that was not", [...MADE_WITH, cover("USER.md")], false],
  ["a note is not covered any more", [WORKSPACE], false],
  ["the workspace may only be read now", [{ ...WORKSPACE, isWritable: false }, cover("MEMORY.md")], false],
  ["something else can be read", [...MADE_WITH, { outside: "/srv", inside: "/srv", isWritable: false }], true],
] as const)("%s", ([, mounts, isKept]) => {
  expect(isWithinReach(describeReach(profile(...MADE_WITH)), profile(...mounts))).toBe(isKept);
});
