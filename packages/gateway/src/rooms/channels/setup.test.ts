// The forms for channels are held against what the channels themselves want.
import type { SetupField } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { CHANNELS } from "./index.ts";

function settingsFrom(fields: readonly SetupField[]): object {
  const settings: Record<string, Record<string, unknown> | unknown> = {};
  for (const { name, example, isList } of fields) {
    const [first = "", second] = name.split(".");
    const value = isList ? example?.split(", ") : example;
    settings[first] = second ? { ...(settings[first] as object | undefined), [second]: value } : value;
  }
  return settings;
}

const channels = await Promise.all(CHANNELS.map(({ load }) => load()));

it("has a guide for every channel", () => {
  expect(channels.filter(({ setup }) => (setup?.fields.length ?? 0) === 0)).toEqual([]);
});

describe.each(channels.map((channel) => ({ label: channel.label, channel })))("$label", ({ channel }) => {
  const fields = channel.setup?.fields ?? [];
  const needed = fields.filter(({ isRequired }) => isRequired);
  const filled = fields.filter(({ example }) => example !== undefined);

  // Matrix wants one of two kinds of credentials, which a form cannot require.
  const isEither = fields.some(({ name }) => name === "accessToken") && fields.some(({ name }) => name === "password");
  const either = isEither ? { accessToken: "syt_token" } : {};

  it("is complete with what the form asks for, and takes its examples", () => {
    const nothing = (): undefined => undefined;
    expect(channel.configure({ ...settingsFrom(needed), ...either }, nothing)).toMatchObject({ kind: "configured" });
    expect(channel.configure({ ...settingsFrom(filled), ...either }, nothing)).toMatchObject({ kind: "configured" });
  });

  it.each(needed.map(({ name }) => name))("needs %s", (name) => {
    const without = settingsFrom(needed.filter((field) => field.name !== name));
    expect(channel.configure({ ...without, ...either }, () => undefined)).toMatchObject({ kind: "incomplete" });
  });
});
