// The vector of a chunk leans a little to its headings, which are asked for once.
import { expect, it } from "vitest";
import { ChunkEmbedder } from "./embed-chunks.ts";

const VECTORS: Readonly<Record<string, readonly number[]>> = { fourteen: [1, 0, 0], boat: [0, 1, 0], house: [0, 0, 1] };

function createEmbedder(): { readonly asked: string[][]; embed(texts: readonly string[]): Promise<Float32Array[]> } {
  const asked: string[][] = [];
  return {
    asked,
    embed: async (texts) => {
      asked.push([...texts]);
      return texts.map((text) => Float32Array.from(VECTORS[text] ?? [0.6, 0.8, 0]));
    },
  };
}

const cosine = (one: Float32Array | undefined, other: readonly number[]): number =>
  other.reduce((sum, value, at) => sum + value * (one?.[at] ?? 0), 0) / Math.hypot(...(one ?? []));

it("is nearer to its title than without it, and much nearer to its text", async () => {
  const { embed } = createEmbedder();
  const chunks = [{ text: "fourteen" }, { title: "boat", text: "fourteen" }, { title: "house", text: "fourteen" }];
  const [plain, boat, house] = await new ChunkEmbedder().embed(chunks, embed);
  expect(cosine(plain, [1, 0, 0])).toBeCloseTo(1, 6);
  expect(cosine(boat, [0, 1, 0])).toBeGreaterThan(cosine(house, [0, 1, 0]));
  expect(cosine(boat, [1, 0, 0])).toBeGreaterThan(0.95);
});

it("asks for each title once, as long as there are few", async () => {
  const { asked, embed } = createEmbedder();
  const chunks = new ChunkEmbedder();
  const first = await chunks.embed(
    [
      { title: "boat", text: "a" },
      { title: "boat", text: "b" },
    ],
    embed,
  );
  const again = await chunks.embed([{ title: "boat", text: "a" }], embed);
  expect(asked).toEqual([["a", "b", "boat"], ["a"]]);
  expect(again).toEqual([first[0]]);
});

it("gives a chunk the same vector however many titles there were before", async () => {
  const { embed } = createEmbedder();
  const chunks = new ChunkEmbedder();
  const [before] = await chunks.embed([{ title: "boat", text: "a" }], embed);
  const many = Array.from({ length: 499 }, (_, at) => ({ title: `title ${at}`, text: "b" }));
  await chunks.embed(many, embed);
  const [, after] = await chunks.embed(
    [
      { title: "new", text: "b" },
      { title: "boat", text: "a" },
    ],
    embed,
  );
  expect(after).toEqual(before);
});

it("hands on what is no vector, whoever has to judge it", async () => {
  const embed = async (): Promise<Float32Array[]> => [];
  expect(await new ChunkEmbedder().embed([{ title: "boat", text: "a" }], embed)).toEqual([undefined]);
});
