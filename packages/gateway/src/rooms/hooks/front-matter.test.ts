// Heads of HOOK.md files as people write them.
import { describe, expect, test } from "vitest";
import { readManifest } from "./manifest.ts";

const inHead = (...lines: string[]): string => ["---", ...lines, "---", "", "# Text"].join("\n");
const read = (...lines: string[]) => readManifest(inHead(...lines), "folder");

describe("what a HOOK.md says", () => {
  const wanted = {
    name: "mine",
    description: "Says: hello",
    events: ["command:new"],
    emoji: "💾",
    guard: false,
    requires: { bins: ["git", "jq"] },
  };
  test.each([
    [
      "JSON on one line",
      [
        "name: mine",
        'description: "Says: hello"',
        'metadata: {"openclaw":{"emoji":"💾","events":["command:new"],"requires":{"bins":["git","jq"]}}}',
      ],
    ],
    [
      "JSON over several lines, with commas at the end",
      [
        "name: mine",
        "description: 'Says: hello'",
        "metadata:",
        "  {",
        '    "openclaw":',
        "      {",
        '        "emoji": "💾",',
        '        "events": ["command:new"],',
        '        "requires": { "bins": ["git", "jq"], },',
        "      },",
        "  }",
      ],
    ],
    [
      "indented lines",
      [
        "# a remark",
        "name: mine",
        "description: Says: hello",
        "metadata:",
        "  openclaw:",
        "    emoji: 💾",
        "    events: [command:new]",
        "    requires:",
        "      bins:",
        "        - git",
        "        - jq",
      ],
    ],
    [
      "lists with dashes, quotes, blocks inside and remarks",
      [
        "name: mine # not yours",
        'description: "Says: hello" # with a colon',
        "metadata:",
        "  openclaw:",
        '    "emoji": "💾"',
        "    install:",
        "      # where it comes from",
        "      - id: bundled",
        "        kind: bundled",
        "        bins:",
        "        - git",
        "      -",
        "        id: other",
        "      - { id: third, label: Third one }",
        "    events:",
        '    - "command:new" # when one begins',
        "    requires:",
        "      bins: [ 'git',",
        "        jq, ]",
      ],
    ],
    [
      "texts over several lines",
      [
        "name: mine",
        "description: >-",
        "  Says:",
        "  hello",
        "",
        "metadata: { chela: { emoji: 💾, events: [ command:new ], requires: { bins: [git, jq] } } }",
      ],
    ],
  ])("is read from %s", (_form, lines) => {
    expect(read(...lines)).toMatchObject({ kind: "manifest", manifest: wanted });
  });

  test("a word before the colon stands for all events of its kind", () => {
    const outcome = read('metadata: {"openclaw":{"events":["command","session:compact","nonsense"]}}');
    expect(outcome).toMatchObject({
      manifest: {
        name: "folder",
        events: [
          "command:new",
          "command:reset",
          "command:stop",
          "command:given",
          "session:compact:before",
          "session:compact:after",
        ],
        unknownEvents: ["nonsense"],
      },
    });
  });

  test.each([
    ["no head at all", "# Just text"],
    ["a head that never ends", "---\nname: x\n"],
    ["JSON that is none", inHead('metadata: {"openclaw": [}')],
    ["a tab", inHead("metadata:", "\topenclaw:")],
    ["a line that says nothing", inHead("name: x", "what")],
    ["a name that is a path", inHead("name: ../../etc")],
    ["a name with a line break in it", inHead('name: "a b"')],
    ["a list where a block belongs", inHead("metadata: [1, 2]")],
    ["a list that is not closed", inHead("metadata:", "  openclaw:", "    events: [command:new")],
    ["a list item that is deeper than the others", inHead("metadata:", "  - a", "    - b", "  - c: 1", "      d")],
  ])("is refused with a reason: %s", (_what, text) => {
    const outcome = readManifest(text, "folder");
    expect(outcome.kind).toBe("broken");
    expect(outcome.kind === "broken" && outcome.why).toMatch(/^HOOK\.md/);
  });

  test("keys of every object's prototype are no more than keys", () => {
    const outcome = read(
      "__proto__:",
      "  guard: true",
      "name: mine",
      "metadata:",
      "  openclaw:",
      "    events: [command]",
    );
    expect(outcome).toMatchObject({ kind: "manifest", manifest: { guard: false } });
    expect(({} as Record<string, unknown>)["guard"]).toBeUndefined();
  });
});
