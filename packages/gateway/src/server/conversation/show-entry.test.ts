// What pages are shown of transcripts that others may have written.
import { expect, it } from "vitest";
import { showEntry } from "./show-entry.ts";

const shownWith = (extra: object) => {
  const message = { role: "assistant", content: [], stopReason: "error", errorMessage: "It failed.", ...extra };
  const entry = { type: "message", id: "a", parentId: null, timestamp: "2026-01-01T00:00:00.000Z", message };
  return showEntry({ entry, index: 0 });
};

it("shows why there is no answer, and by whose job, when all of it is there", () => {
  const failure = { code: "MODEL_AUTH", message: "Refused.", fix: "Enter another.", retry: "never", retryAt: 7 };
  const job = { id: "j", name: "brief" };
  expect(shownWith({ failure, job })).toMatchObject({ errorMessage: "It failed.", failure, job });
});

it.for([[{}], ["text"], [null], [{ code: "A", message: "B", retry: "never" }]])(
  "leaves out what is no failure: %j",
  ([failure]) => {
    const shown = shownWith({ failure, job: { id: 1 } });
    expect(shown.errorMessage).toBe("It failed.");
    expect([shown.failure, shown.job]).toEqual([undefined, undefined]);
  },
);

it.for([
  ["a job", { job: { id: "j", name: "brief" } }, { kind: "errand", job: { id: "j", name: "brief" } }],
  ["a webhook", { provenance: { kind: "hook", hook: "github" } }, { kind: "errand", webhook: "github" }],
  [
    "another conversation",
    { provenance: { kind: "inter_session", sourceSessionKey: "agent:main:main" } },
    { kind: "errand", fromSession: "agent:main:main" },
  ],
] as const)("tells what %s asks from what a person does", ([, mark, shown]) => {
  expect(shownWith({ role: "user", content: "Look.", errorMessage: undefined, ...mark })).toMatchObject({
    role: "user",
    content: [{ text: "Look." }],
    ...shown,
  });
});

it.for([{}, { provenance: { kind: "external_user" } }, { provenance: "hook" }, { job: { id: 1 } }])(
  "takes for a person's words what does not say otherwise: %j",
  (mark) => {
    const shown = shownWith({ role: "user", content: "[cron:j brief] Look.", ...mark });
    expect(shown.kind).toBeUndefined();
    expect(shown.content).toEqual([{ type: "text", text: "[cron:j brief] Look." }]);
  },
);
