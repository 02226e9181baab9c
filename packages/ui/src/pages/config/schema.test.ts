import { describe, expect, it } from "vitest";
import { firstValue, fits, isSecret, rootSpot, shapeOf, spotAt, type SchemaNode } from "./schema.ts";

const text: SchemaNode = { type: "string" };

describe("the field for a schema", () => {
  const cases: ReadonlyArray<readonly [string, SchemaNode, string]> = [
    ["a text", text, "text"],
    ["a text or number", { type: ["string", "number"] }, "text"],
    ["a whole number", { type: "integer" }, "number"],
    ["on or off", { type: "boolean" }, "flag"],
    ["one of some texts", { type: "string", enum: ["a", "b"] }, "choice"],
    ["on, off or a word", { anyOf: [{ type: "boolean" }, { const: "auto" }] }, "choice"],
    ["texts", { type: "array", items: text }, "texts"],
    ["some of some texts", { type: "array", items: { enum: ["a"] } }, "choices"],
    ["objects in a list", { type: "array", items: { type: "object" } }, "list"],
    ["names and values", { type: "object", additionalProperties: text }, "record"],
    ["named keys", { type: "object", properties: { a: text } }, "group"],
    ["an object of anything", { type: "object", properties: { $include: text } }, "json"],
    ["a text or an object", { anyOf: [text, { type: "object" }] }, "union"],
    ["anything", {}, "json"],
  ];

  it.each(cases)("%s", (_name, node, kind) => {
    expect(shapeOf(node).kind).toBe(kind);
  });
});

describe("places of the schema", () => {
  const root = rootSpot({
    type: "object",
    properties: {
      list: { type: "array", items: { type: "object", properties: { key: { ...text, secret: true } } } },
      named: { type: "object", additionalProperties: { anyOf: [text, { type: "object", properties: { a: text } }] } },
    },
  });

  it("have the names their hints have", () => {
    expect(spotAt(root, ["list", "3", "key"])?.pattern).toBe("list[].key");
    expect(spotAt(root, ["named", "x", "a"])?.pattern).toBe("named.*.a");
    expect(spotAt(root, ["unknown"])).toBeUndefined();
  });

  it("know what is secret", () => {
    const spot = spotAt(root, ["list", "0", "key"]);
    expect(spot && isSecret(spot)).toBe(true);
  });
});

describe("alternatives", () => {
  const env: SchemaNode = { type: "object", properties: { source: { const: "env" }, id: text } };
  const file: SchemaNode = { type: "object", properties: { source: { const: "file" }, id: text } };

  it("are told apart by the key with one possible value", () => {
    expect([fits(env, { source: "file" }), fits(file, { source: "file" }), fits(text, {})]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("begin with that key", () => {
    expect(firstValue(file)).toEqual({ source: "file" });
  });
});
