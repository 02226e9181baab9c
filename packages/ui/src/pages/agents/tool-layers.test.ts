// Which key of the configuration changes what a layer says.
import { expect, it } from "vitest";
import { layerKey } from "./tool-layers.ts";

const parsed = {
  agents: { list: [{ id: "main" }, { id: "poet", tools: { profile: "minimal", sandbox: {} } }] },
};

it.each([
  ["profile", "poet", ["agents", "list", "1", "tools", "profile"]],
  ["profile", "main", ["tools", "profile"]],
  ["agent", "poet", ["agents", "list", "1", "tools"]],
  ["agent", "nobody", ["agents", "list"]],
  ["sandbox", "poet", ["agents", "list", "1", "tools", "sandbox"]],
  ["sandbox", "main", ["tools", "sandbox"]],
  ["owner", "main", undefined],
])("for the layer %s of %s it is %j", (layer, agentId, key) => {
  expect(layerKey(layer, parsed, agentId)).toEqual(key);
});
