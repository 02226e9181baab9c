// S-09, S-10: in what a platform sends, only the fields it vouches for say who somebody is and what kind of chat it is in.
import { afterAll, describe, expect, test } from "vitest";
import type { ChannelEvent } from "@chela/sdk";
import { castOf, CHANNEL_IDS } from "../support/models/chat-cast.ts";
import { fieldsIn } from "../support/security/payload-fields.ts";
import { PLATFORMS } from "../../../channels/test/platform-payloads.test-support.ts";
import { countCases } from "../support/security/security-cases.ts";

let cases = 0;
afterAll(() => countCases("S-09", cases));

test("every channel has something its platform sent", () => {
  expect(Object.keys(PLATFORMS).toSorted()).toEqual(CHANNEL_IDS.toSorted());
});

const whoAndWhere = ({ sender, chat }: ChannelEvent): string =>
  JSON.stringify([sender.id, sender.otherIds ?? [], sender.roles ?? [], chat.kind, chat.id]);

const idsOf = ({ sender: { id, otherIds = [] } }: ChannelEvent): string[] => [id, ...otherIds];

describe.each(Object.entries(PLATFORMS))("S-09: a payload of %s", (channel, { payloads, read, fit, vouched }) => {
  const { known, names } = castOf(channel);

  test("names its sender and its chat by vouched fields alone, whatever the others say", async () => {
    const wrong = new Set<string>();
    let messages = 0;
    for (const [name, payload] of Object.entries(await payloads())) {
      const before = new Set((await read(payload, name)).map(whoAndWhere));
      messages += before.size;
      for (const field of fieldsIn(payload)) {
        const lies =
          typeof field.value === "number" ? [Number.parseInt(known.replaceAll(/\D/g, ""), 10) || 7] : [known, ...names];
        for (const lie of lies) {
          cases += 1;
          const told = await read(field.with(typeof lie === "string" ? (fit?.(lie) ?? lie) : lie), name);
          // Of what was passed over before, nobody knows where it would have been from: but not from the known person.
          const isOther = told.some((event) =>
            before.size > 0 ? !before.has(whoAndWhere(event)) : idsOf(event).includes(known),
          );
          if (isOther && !vouched.test(field.path))
            wrong.add(`${name}: ${field.path} = ${String(field.value).slice(0, 40)}`);
        }
      }
    }
    expect(messages).toBeGreaterThan(0);
    expect([...wrong]).toEqual([]);
  });
});
