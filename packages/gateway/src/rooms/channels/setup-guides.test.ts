// The forms for channels are held against what the channels themselves want.
import { describe, expect, it } from "vitest";
import { CHANNELS } from "./index.ts";
import { SETUP_GUIDES, type SetupField } from "./setup-guides.ts";

function settingsFrom(fields: readonly SetupField[]): object {
  const settings: Record<string, Record<string, unknown> | unknown> = {};
  for (const { name, example, isList } of fields) {
    const [first = "", second] = name.split(".");
    const value = isList ? example?.split(", ") : example;
    settings[first] = second ? { ...(settings[first] as object | undefined), [second]: value } : value;
  }
  return settings;
}

it("has a guide for every channel", () => {
  expect(Object.keys(SETUP_GUIDES).toSorted()).toEqual(CHANNELS.map(({ id }) => id).toSorted());
});

describe.each(CHANNELS.map((entry) => ({ ...entry, guide: SETUP_GUIDES[entry.id] })))("$label", ({ load, guide }) => {
  const fields = guide?.fields ?? [];
  const needed = fields.filter(({ isRequired }) => isRequired);
  const filled = fields.filter(({ example }) => example !== undefined);

  // Matrix wants one of two kinds of credentials, which a form cannot require.
  const isEither = fields.some(({ name }) => name === "accessToken") && fields.some(({ name }) => name === "password");
  const either = isEither ? { accessToken: "syt_token" } : {};

  it("is complete with what the form asks for, and takes its examples", async () => {
    const channel = await load();
    const nothing = (): undefined => undefined;
    expect(channel.configure({ ...settingsFrom(needed), ...either }, nothing)).toMatchObject({ kind: "configured" });
    expect(channel.configure({ ...settingsFrom(filled), ...either }, nothing)).toMatchObject({ kind: "configured" });
  });

  it.each(needed.map(({ name }) => name))("needs %s", async (name) => {
    const channel = await load();
    const without = settingsFrom(needed.filter((field) => field.name !== name));
    expect(channel.configure({ ...without, ...either }, () => undefined)).toMatchObject({ kind: "incomplete" });
  });
});
