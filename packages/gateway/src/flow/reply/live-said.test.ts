import { BlockStream } from "@chela/sdk/markdown";
import { describe, expect, it } from "vitest";
import { withoutSaid } from "./live-said.ts";

describe("what is left of an answer", () => {
  it.for([
    ["nothing was said", ["a", "b"], [], ["a", "b"]],
    ["its beginning was said", ["One.\n\nTwo."], ["One."], ["Two."]],
    ["all was said", ["One.\n\nTwo."], ["One.", "Two."], []],
    ["two blocks went out as one", ["One.\n\nTwo.\n\nThree."], ["One.\n\nTwo."], ["Three."]],
    ["an earlier text was said", ["One.", "Two."], ["One."], ["Two."]],
    ["blanks differ", ["One  two.\nThree."], ["One two."], ["Three."]],
    [
      "something stands before it",
      ["⚙️ Thinking is high.\n\nOne.\n\nTwo."],
      ["One."],
      ["⚙️ Thinking is high.\n\nTwo."],
    ],
    ["a thought stands before it", ["Reasoning:\n_hm_", "One.\n\nTwo."], ["One."], ["Reasoning:\n_hm_", "Two."]],
    ["a void attempt was said", ["Other words."], ["One."], ["Other words."]],
    ["the same words come twice", ["Yes.\n\nYes."], ["Yes."], ["Yes."]],
  ] as const)("when %s", ([, texts, said, left]) => {
    expect(withoutSaid(texts, said)).toEqual(left);
  });

  const code = `Intro.\n\n\`\`\`ts\n${"const a = 1;\n".repeat(30)}\`\`\`\n\nThe end, which is long enough to be a block.`;

  it.for([1, 2, 3, 4, 5])("goes on with the code that block %d was cut in", (count) => {
    const stream = new BlockStream({ minChars: 40, maxChars: 100 });
    const blocks = [...stream.add(code), ...stream.finish()];
    const [left = ""] = withoutSaid([code], blocks.slice(0, count));
    const lines = (text: string): number => text.split("const a = 1;").length - 1;
    const before = blocks.slice(0, count).join("\n");
    expect(lines(before) + lines(left)).toBe(30);
    expect((left.match(/```/g) ?? []).length % 2).toBe(0);
    expect(withoutSaid([code], blocks)).toEqual([]);
  });
});
