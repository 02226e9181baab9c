// What agents are called and shown as.
import { describe, expect, it } from "vitest";
import { agentName, endOfPath, faceOf, idOfName, isPictureElsewhere, workspaceFor } from "./agent-facts.ts";

describe("the name of an agent", () => {
  it("is what it calls itself, else what it is called, else its id", () => {
    expect(agentName({ id: "poet", name: "The Poet", identity: { name: "Quill" } })).toBe("Quill");
    expect(agentName({ id: "poet", name: "The Poet", identity: {} })).toBe("The Poet");
    expect(agentName({ id: "poet" })).toBe("poet");
  });
});

describe("the face of an agent", () => {
  it.each([
    [{ avatar: "P" }, { kind: "text", text: "P" }],
    [
      { avatar: "👩‍🚀", emoji: "🪶" },
      { kind: "text", text: "👩‍🚀" },
    ],
    [
      { avatar: "me.png", avatarUrl: "/avatar/poet" },
      { kind: "picture", url: "/avatar/poet?v=me.png" },
    ],
    [
      { avatar: "x", avatarUrl: "/avatar/poet" },
      { kind: "text", text: "x" },
    ],
    [
      { avatar: "https://a.example/b.png", avatarUrl: "https://a.example/b.png", emoji: "🪶" },
      { kind: "text", text: "🪶" },
    ],
    [
      { avatar: "//a.example/b.png", avatarUrl: "//a.example/b.png" },
      { kind: "text", text: "P" },
    ],
    [{}, { kind: "text", text: "P" }],
  ] as const)("of %j is %j", (identity, face) => {
    expect(faceOf({ id: "poet", identity })).toEqual(face);
  });

  it("may lie on another site", () => {
    expect(isPictureElsewhere({ identity: { avatarUrl: "https://a.example/b.png" } })).toBe(true);
    expect(isPictureElsewhere({ identity: { avatarUrl: "/avatar/poet" } })).toBe(false);
  });
});

it.each([
  ["The Poet!", "the-poet"],
  ["  Ärger 2 ", "rger-2"],
  ["詩人", ""],
])("the name %j gives the id %j", (name, id) => {
  expect(idOfName(name)).toBe(id);
});

it("suggests a workspace in the state directory", () => {
  const agents = [{ id: "main", agentDir: "/home/ann/.openclaw/agents/main/agent" }];
  expect(workspaceFor({ agents }, "poet")).toBe("/home/ann/.openclaw/workspaces/poet");
  expect(workspaceFor({ agents: [{ id: "main" }] }, "poet")).toBe("~/.openclaw/workspaces/poet");
});

it("shows the end of a long path", () => {
  expect(endOfPath("/home/ann/.openclaw/workspaces/poet")).toBe("…/workspaces/poet");
  expect(endOfPath("/srv/poet")).toBe("/srv/poet");
});
