// The quick check never accepts what its schema refuses, and accepts what rows usually are.
import * as z from "zod";
import { expect, test } from "vitest";
import { ErrandDelivered, ErrandDelivery, RunOutcome, SessionEntry, TranscriptHeader } from "./index.ts";
import { plainCheck } from "./plain-check.ts";

const SCHEMAS = {
  SessionEntry: SessionEntry(),
  RunOutcome: RunOutcome(),
  ErrandDelivery: ErrandDelivery(),
  ErrandDelivered: ErrandDelivered(),
  TranscriptHeader: TranscriptHeader(),
  closed: z.strictObject({ a: z.string().optional() }),
  measured: z.object({ a: z.string().min(2) }),
};
const session = { sessionId: "s", updatedAt: 1, chatType: "direct", origin: { threadId: 4 }, own: { more: [1] } };
const outcome = { status: "ok", texts: ["yes"], media: [{ id: "a", mimeType: "b", bytes: 1 }] };

test.each<[keyof typeof SCHEMAS, unknown]>([
  ["SessionEntry", session],
  ["RunOutcome", outcome],
  ["ErrandDelivery", { mode: "session", sessionKey: "k" }],
  ["ErrandDelivered", { status: "delivered", receipts: [{ channel: "c", to: "t" }] }],
  ["TranscriptHeader", { type: "session", version: 3, id: "i", timestamp: "t" }],
  ["closed", { a: "x" }],
])("%s: what is usual is accepted without the schema", (name, value) => {
  expect(plainCheck(SCHEMAS[name])(value)).toBe(true);
});

const ODD = [null, 1, "a", [], {}, { a: 1 }, { a: "x" }, { b: 1 }, true, [null], { kind: "chat" }];

test.each(Object.entries(SCHEMAS))("%s: nothing is accepted that the schema refuses", (_name, schema) => {
  const check = plainCheck(schema);
  const around = [session, outcome].flatMap((whole) =>
    Object.keys(whole).flatMap((member) => [
      ...ODD.map((odd) => ({ ...whole, [member]: odd })),
      Object.fromEntries(Object.entries(whole).filter(([name]) => name !== member)),
    ]),
  );
  for (const value of [...ODD, ...around]) {
    if (check(value)) expect(schema.safeParse(value), JSON.stringify(value)).toMatchObject({ success: true });
  }
});
