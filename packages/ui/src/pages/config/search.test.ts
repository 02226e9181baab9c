import { describe, expect, it } from "vitest";
import { rootSpot } from "./schema.ts";
import { listFields, searchFields } from "./search.ts";

const flag = { type: "boolean" };
const fields = listFields(
  rootSpot({
    type: "object",
    properties: {
      gateway: {
        type: "object",
        properties: {
          port: { type: "integer" },
          ports: { type: "integer" },
          controlUi: { type: "object", properties: { enabled: flag } },
        },
      },
      channels: {
        type: "object",
        properties: {
          irc: {
            type: "object",
            properties: {
              accounts: {
                type: "object",
                additionalProperties: { type: "object", properties: { port: { type: "integer" } } },
              },
            },
          },
        },
      },
    },
  }),
);
const hints = {
  "gateway.port": { label: "Port" },
  "gateway.ports": { label: "Ports", advanced: true },
  "gateway.controlUi.enabled": { label: "Enabled", help: "Whether this page is served." },
};
const found = (query: string): string[] => searchFields(fields, hints, query, 10).map(({ spot }) => spot.pattern);

describe("the search over all keys", () => {
  it("looks at names, with what is there once before what is there for each account", () => {
    expect(found("port").slice(0, 2)).toEqual(["gateway.port", "channels.irc.accounts.*.port"]);
  });

  it("puts what has no effect behind everything that has one", () => {
    expect(found("ports")).toEqual(["gateway.ports"]);
    expect(found("port").at(-1)).toBe("gateway.ports");
  });

  it("looks at paths and explanations, and needs every word", () => {
    expect(found("control enabled")).toEqual(["gateway.controlUi.enabled"]);
    expect(found("served")).toEqual(["gateway.controlUi.enabled"]);
    expect(found("served port")).toEqual([]);
  });
});
