// Finding a turn in a long conversation.
import { describe, expect, it } from "vitest";
import { findEntry } from "./find-entry.ts";

function conversation(count: number) {
  const messages = Array.from({ length: count }, (_, index) =>
    index % 5 === 3
      ? { index, id: `e${index}`, hidden: true as const }
      : {
          index,
          id: `e${index}`,
          timestamp: index * 100,
          role: index % 2 ? ("assistant" as const) : ("user" as const),
        },
  );
  let reads = 0;
  const read = async (from: number, limit: number) => {
    reads += 1;
    return { total: count, messages: messages.slice(from, from + limit) };
  };
  return { read, reads: () => reads };
}

describe("findEntry", () => {
  it("finds the answer with few questions", async () => {
    const { read, reads } = conversation(10_000);
    expect(await findEntry(read, { from: 700_000, to: 700_500 })).toBe("e7001");
    expect(reads()).toBeLessThan(15);
  });

  it("is content with what was said", async () => {
    const { read } = conversation(50);
    expect(await findEntry(read, { from: 4000, to: 4010 })).toBe("e40");
  });

  it("finds nothing where nothing was said", async () => {
    const { read } = conversation(20);
    expect(await findEntry(read, { from: 90_000, to: 91_000 })).toBeUndefined();
    expect(await findEntry(conversation(0).read, { from: 0, to: 1 })).toBeUndefined();
  });
});
