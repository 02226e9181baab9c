// Start-up pays only for the parts of the schema that a config uses. A file of its own, because schemas are kept once built.
import type * as z from "zod";
import { expect, it } from "vitest";
import { examineConfig } from "./read/examine.ts";
import { SECTIONS } from "./schema/sections.ts";
import { shapeOf } from "@chela/sdk/config";

/** Says later which of the watched blocks have been built. */
function watchBlocks(blocks: Record<string, z.core.$ZodType>): () => string[] {
  const built: string[] = [];
  for (const [name, block] of Object.entries(blocks)) {
    const def = block._zod.def as z.core.$ZodLazyDef;
    const build = def.getter;
    def.getter = () => {
      built.push(name);
      return build();
    };
  }
  return () => built;
}

it("builds the blocks a config has, and no others", () => {
  const { gateway, channels, tools, messages, agents } = SECTIONS;
  const built = watchBlocks({
    gateway: gateway.schema(),
    channels: channels.schema(),
    tools: tools.schema(),
    messages: messages.schema(),
    agents: agents.schema(),
  });
  examineConfig({ gateway: { port: 1 }, agents: { list: [{ id: "a" }] } });
  expect(built()).toEqual(["gateway", "agents"]);
});

it("builds the channels a config has, and no others", () => {
  const shaped = shapeOf(SECTIONS.channels.schema());
  const shape = shaped.kind === "object" ? shaped.shape : {};
  const { telegram, discord, slack } = shape as Record<"telegram" | "discord" | "slack", z.core.$ZodType>;
  const built = watchBlocks({ telegram, discord, slack });
  expect(examineConfig({ channels: { telegram: { enabled: true } } }).findings).toEqual([]);
  expect(built()).toEqual(["telegram"]);
});
