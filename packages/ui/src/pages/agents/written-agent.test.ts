// Agents as they are written, and patches of them.
import { describe, expect, it } from "vitest";
import { agentsPatch, defaultPatch, modelChoiceOf, placeOf, writtenAgent, writtenChoice } from "./written-agent.ts";

const parsed = { agents: { list: [{ id: "main" }, { id: "Poet", model: "a/b", workspace: "/poet" }] } };

describe("an agent in the file", () => {
  it("is found by its id, however that is spelt", () => {
    expect(placeOf(parsed, "poet")).toBe(1);
    expect(writtenAgent(parsed, "poet")).toMatchObject({ model: "a/b" });
    expect(writtenAgent(parsed, "nobody")).toEqual({});
    expect(writtenAgent(null, "main")).toEqual({});
  });

  it.each([
    ["a/b", { primary: "a/b" }],
    [
      { primary: "a/b", fallbacks: ["c/d"] },
      { primary: "a/b", fallbacks: ["c/d"] },
    ],
    [{ fallbacks: [] }, { fallbacks: [] }],
    [undefined, {}],
  ])("with the model %j has the choice %j", (model, choice) => {
    expect(modelChoiceOf({ model })).toEqual(choice);
  });

  it.each([
    [{ primary: "a/b" }, "a/b"],
    [{}, null],
    [{ fallbacks: ["c/d"] }, { primary: null, fallbacks: ["c/d"] }],
  ])("gets for the choice %j the model %j", (choice, written) => {
    expect(writtenChoice(choice)).toEqual(written);
  });
});

describe("a patch", () => {
  it("names the agent as it is written", () => {
    expect(agentsPatch(parsed, { poet: { model: null } })).toEqual({ agents: { list: [{ id: "Poet", model: null }] } });
  });

  it("takes nothing out of a list that is not there", () => {
    const patch = agentsPatch({}, { main: { model: null, identity: { emoji: null, name: "A" } } });
    expect(patch).toEqual({ agents: { list: [{ id: "main", identity: { name: "A" } }] } });
  });

  it("that makes a default keeps everybody where they live", () => {
    const agents = [
      { id: "main", workspace: "/main" },
      { id: "poet", workspace: "/poet" },
    ];
    expect(defaultPatch(parsed, agents, "poet")).toEqual({
      agents: {
        list: [
          { id: "main", default: null, workspace: "/main" },
          { id: "Poet", default: true },
        ],
      },
    });
  });
});
