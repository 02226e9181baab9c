// What holds for an agent where its own settings, or those of all, say something.
import { expect, test } from "vitest";
import { agentSettings, usualChoices } from "./defaults.ts";
import type { ChelaConfig } from "../schema/sections.ts";
import type { StatePaths } from "../state/state-paths.ts";

const PATHS = { stateDir: "/state", home: "/home/anna" } as StatePaths;

test("an agent thinks as long as it is told, otherwise as long as all", () => {
  const config: ChelaConfig = {
    agents: {
      defaults: { thinkingDefault: "adaptive" },
      list: [{ id: "main" }, { id: "work", thinkingDefault: "high" }],
    },
  };
  const thinkingOf = (id: string) => agentSettings(config, { id, isDefault: id === "main" }, PATHS).thinkingDefault;
  expect(thinkingOf("work")).toBe("high");
  // Models that decide by themselves are no different from others here.
  expect(thinkingOf("main")).toBe("medium");
  expect(usualChoices(config).thinking).toBe("medium");
});
