// What we understand is what a shell understands: tables of cases, and random commands against a real shell.
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld, type ApprovalsWorld } from "../approvals-world.test-support.ts";

let world: ApprovalsWorld;
beforeAll(() => {
  world = createWorld(["a", "b", "c", "printf"]);
  world.settings = { ...world.settings, rules: [{ security: "full", ask: "off" }] };
});
afterAll(() => world[Symbol.dispose]());

async function planFor(command: string) {
  const decision = await world.decide(command);
  if (decision.kind !== "allowed") throw new Error(decision.why);
  return decision.plan;
}

describe("a command that is understood is run without a shell", () => {
  test.each<[string, string[][]]>([
    ["a x y", [["a", "x", "y"]]],
    ["a 'x y'", [["a", "x y"]]],
    [`a "x y"'z'w`, [["a", "x yzw"]]],
    ["a '' \"\"", [["a", "", ""]]],
    ["a x\\ y\\;", [["a", "x y;"]]],
    ["a '$HOME `id` \\ !'", [["a", "$HOME `id` \\ !"]]],
    ["a --k=v", [["a", "--k=v"]]],
    ["a|b", [["a"], ["b"]]],
  ])("%s", async (command, words) => {
    const { how } = await planFor(command);
    expect(how.kind === "direct" && how.steps.map((step) => step.pipeline.map((program) => program.argv))).toEqual([
      words,
    ]);
  });

  test("each program is the real file behind its word", async () => {
    const { how, cwd } = await planFor("a | b");
    expect(how).toEqual({
      kind: "direct",
      steps: [
        {
          when: "always",
          pipeline: [
            { file: `${world.bin}/a`, argv: ["a"] },
            { file: `${world.bin}/b`, argv: ["b"] },
          ],
        },
      ],
    });
    expect(cwd).toBe(world.workspace);
  });

  test("joining signs say when a step runs", async () => {
    const { how } = await planFor("a && b || c ; a | b");
    expect(how.kind === "direct" && how.steps.map(({ when, pipeline }) => [when, pipeline.length])).toEqual([
      ["always", 1],
      ["success", 1],
      ["failure", 1],
      ["always", 2],
    ]);
  });
});

test("a command that is not understood is handed to one shell as it was written", async () => {
  const command = "cd x && a $HOME > out";
  const { how } = await planFor(command);
  expect(how).toMatchObject({ kind: "shell", program: { argv: ["/bin/sh", "-c", command] } });
});

test("random understood commands have the words a real shell sees", async () => {
  const commands = Array.from({ length: 1500 }, (_, seed) => writeRandomArguments(seed));
  const planned: { command: string; argv: readonly string[] }[] = [];
  for (const command of commands) {
    const { how } = await planFor(`printf ${command}`);
    const program = how.kind === "direct" && how.steps.length === 1 ? how.steps[0]?.pipeline[0] : undefined;
    if (program) planned.push({ command, argv: program.argv.slice(1) });
  }
  expect(planned.length).toBeGreaterThan(500);
  // One shell for all of them; each line of words is closed by an empty pair of marks.
  const script = planned.map(({ command }) => `printf '%s\\0' ${command} '<<end>>'`).join("\n");
  const { stdout, status } = spawnSync("/bin/sh", [], { input: script, encoding: "utf8", env: {} });
  expect(status).toBe(0);
  const seen = stdout
    .split("<<end>>\0")
    .slice(0, -1)
    .map((line) => line.split("\0").slice(0, -1));
  expect(seen).toEqual(planned.map(({ argv }) => argv));
});

/** Words of every sort of piece, the dangerous ones too; the same seed gives the same words. */
function writeRandomArguments(seed: number): string {
  let state = seed * 2_654_435_761 + 12_345;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pieces = [
    "x",
    "Y9",
    "-",
    "--k=v",
    "/a/b",
    ".",
    "a~",
    "@%+,:_",
    "'$HOME'",
    "'a b'",
    '"c d"',
    "''",
    '"`"',
    '"é"',
    "\\$",
  ]
    .concat([
      "\\ ",
      "\\\\",
      "\\'",
      "\\~",
      "\\x",
      "'\\'",
      `'"'`,
      `"'"`,
      "'*'",
      "\\*",
      "'#'",
      "\\#",
      "'a;b|c&d'",
      "\\&",
      "\\|",
      '"$x"',
      "'!'",
    ])
    .concat(["$(", "*", "#", "~", "{a,b}", "\\n", "'\\n'", '"\\\\"', '\\"']);
  const word = (): string =>
    Array.from({ length: 1 + below(4) }, () => pieces[below(pieces.length - (below(4) === 0 ? 0 : 9))]).join("");
  return Array.from({ length: 1 + below(4) }, word).join(" ".repeat(1 + below(2)));
}
