// What is written for a new sender.
import { expect, it } from "vitest";
import { newMapping } from "./new-mapping.ts";

const wish = { sender: "github", secret: " s3cret ", instructions: "", agentId: "" } as const;

it("a first one has the address of its sender", () => {
  expect(newMapping(wish, {})).toEqual({ id: "github", preset: "github", signature: { secret: "s3cret" } });
});

it("a further one gets an address of its own, whatever the others are called by", () => {
  const hooks = { mappings: [{ preset: "github" }, { id: "github-2" }, { match: { path: "github-3" } }, "nonsense"] };
  expect(newMapping({ ...wish, instructions: " Tell me ", agentId: "scout" }, hooks)).toEqual({
    id: "github-4",
    preset: "github",
    match: { path: "github-4" },
    agentId: "scout",
    instructions: "Tell me",
    signature: { secret: "s3cret" },
  });
});

it("what comes with the token has no secret", () => {
  expect(newMapping({ ...wish, sender: "gmail" }, {})).toEqual({ id: "gmail", preset: "gmail" });
});
