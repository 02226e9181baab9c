// SKILL.md files as people and registries write them.
import { describe, expect, test } from "vitest";
import { readSkill } from "./read-skill.ts";

const file = (...head: string[]): string => ["---", ...head, "---", "", "# Do it", ""].join("\n");
const read = (text: string, folder = "pdf") => {
  const result = readSkill(text, folder);
  if (result.kind === "broken") throw new Error(result.why);
  return result;
};
const skillOf = (...head: string[]) => read(file(...head)).skill;

const REQUIRES = { bins: ["pdftotext"], anyBins: [], env: ["PDF_KEY"], config: [] };

describe("what OpenClaw keeps under metadata is read", () => {
  const head = ["name: pdf", "description: Reads PDFs"];
  test.each([
    ["JSON on one line", [`metadata: {"openclaw":{"emoji":"📄","requires":{"bins":["pdftotext"],"env":["PDF_KEY"]}}}`]],
    ["JSON in quotes", [`metadata: '{"openclaw":{"emoji":"📄","requires":{"bins":["pdftotext"],"env":["PDF_KEY"]}}}'`]],
    [
      "a flow map over lines, with commas at the end",
      [
        "metadata:",
        "  {",
        '    "openclaw": { "emoji": "📄", "requires": { "bins": ["pdftotext"], "env": ["PDF_KEY"], }, },',
        "  }",
      ],
    ],
    [
      "maps of YAML",
      [
        "metadata:",
        "  openclaw:",
        "    emoji: 📄",
        "    requires:",
        "      bins: [pdftotext]",
        "      env:",
        "        - PDF_KEY",
      ],
    ],
    [
      "JSON5 in a text",
      ["metadata: |", "  { clawdbot: { emoji: '📄', requires: { bins: ['pdftotext'], env: ['PDF_KEY'] } }, /* x */ }"],
    ],
    [
      "the first name it had",
      [`metadata: {"clawdis":{"emoji":"📄","requires":{"bins":["pdftotext"],"env":["PDF_KEY"]}}}`],
    ],
  ])("%s", (_, metadata) => {
    const skill = skillOf(...head, ...metadata);
    expect(skill).toMatchObject({ name: "pdf", description: "Reads PDFs", emoji: "📄", requires: REQUIRES });
    expect(skill.warnings).toEqual([]);
  });
});

describe("descriptions", () => {
  test.each([
    ["plain", ["description: Reads PDFs."], "Reads PDFs."],
    ["with a colon nobody quoted", ["description: Use when: somebody sends a PDF"], "Use when: somebody sends a PDF"],
    [
      "over several lines",
      ["description: Reads PDFs", "  and says what is in them"],
      "Reads PDFs and says what is in them",
    ],
    [
      "folded",
      ["description: >-", "  Reads PDFs", "  and says what is in them"],
      "Reads PDFs and says what is in them",
    ],
    ["in quotes over lines", ['description: "Reads', '  PDFs"'], "Reads PDFs"],
  ])("%s", (_, lines, text) => {
    expect(skillOf("name: pdf", ...lines).description).toBe(text);
  });

  test("what could hide something is one space", () => {
    expect(skillOf("name: pdf", "description: Reads\u200b\u202ePDFs").description).toBe("Reads PDFs");
  });
});

test("what is no YAML is read line by line, and that is said", () => {
  const { skill, body } = read("---\nname: pdf\ndescription: Reads PDFs\n\tbroken\nuser-invocable: false\n---\nText\n");
  expect(skill).toMatchObject({ name: "pdf", description: "Reads PDFs", isForPeople: false });
  expect(body).toBe("Text");
  expect(skill.warnings).toEqual([expect.stringContaining("read line by line")]);
});

test("a name that breaks the rules is told and used", () => {
  const { skill } = read(file("name: PDF_Tools", "description: x"), "pdf-tools");
  expect(skill.name).toBe("PDF_Tools");
  expect(skill.warnings).toHaveLength(2);
});

test.each([
  ["no head", "# Just text"],
  ["no description", file("name: pdf")],
  ["a description that is empty", file("name: pdf", "description: ''")],
  ["a name that leads elsewhere", file("name: ../../etc", "description: x")],
  ["a name with mark-up", file("name: <b>", "description: x")],
])("%s is no skill", (_, text) => {
  expect(readSkill(text, "pdf").kind).toBe("broken");
});

test("commands, keys and installers", () => {
  const skill = skillOf(
    "name: pdf",
    "description: x",
    "user-invocable: yes",
    "disable-model-invocation: true",
    "command-dispatch: tool",
    "command-tool: exec",
    `metadata: {"openclaw":{"skillKey":"pdf-key","primaryEnv":"PDF_KEY","os":["macos","linux"],"install":[{"kind":"brew","formula":"poppler","bins":["pdftotext"]},{"kind":"magic"}]}}`,
  );
  expect(skill).toMatchObject({
    isForPeople: true,
    isForModels: false,
    commandTool: "exec",
    key: "pdf-key",
    primaryEnv: "PDF_KEY",
    os: ["darwin", "linux"],
    install: [{ id: "brew-0", kind: "brew", formula: "poppler", bins: ["pdftotext"], label: "Install poppler (brew)" }],
  });
  expect(skill.warnings).toEqual([expect.stringContaining("Installer 2")]);
});
