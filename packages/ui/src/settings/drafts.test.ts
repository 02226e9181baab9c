import { describe, expect, it } from "vitest";
import { FormDraft } from "./drafts.ts";

function edited(): FormDraft {
  const draft = new FormDraft();
  draft.offer({ gateway: { port: 1 }, logging: { level: "info" } }, "first");
  draft.set(["gateway", "port"], 2);
  return draft;
}

describe("a draft of the configuration", () => {
  it("follows the gateway while nothing is edited", () => {
    const draft = new FormDraft();
    draft.offer({ a: 1 }, "first");
    draft.offer({ a: 2 }, "second");
    expect([draft.now.value, draft.hash, draft.isEdited]).toEqual([{ a: 2 }, "second", false]);
  });

  it("keeps edits when a newer version comes, and makes them again in it on demand", () => {
    const draft = edited();
    draft.offer({ gateway: { port: 1 }, logging: { level: "debug" } }, "second");
    expect([draft.valueAt(["gateway", "port"]), draft.hash, draft.newer.value?.hash]).toEqual([2, "first", "second"]);
    draft.reapply();
    expect(draft.now.value).toEqual({ gateway: { port: 2 }, logging: { level: "debug" } });
    expect([draft.hash, draft.newer.value, draft.patch()]).toEqual(["second", undefined, { gateway: { port: 2 } }]);
  });

  it("drops edits for the newest version", () => {
    const draft = edited();
    draft.offer({ gateway: { port: 7 } }, "second");
    draft.discard();
    expect([draft.now.value, draft.hash, draft.isEdited]).toEqual([{ gateway: { port: 7 } }, "second", false]);
  });

  it("takes the next version after it was written", () => {
    const draft = edited();
    draft.written();
    expect(draft.isEdited).toBe(false);
    draft.offer({ gateway: { port: 2 }, meta: {} }, "third");
    expect([draft.now.value, draft.newer.value]).toEqual([{ gateway: { port: 2 }, meta: {} }, undefined]);
  });

  it("is not edited when what was set is taken away again", () => {
    const draft = new FormDraft();
    draft.offer({}, "first");
    draft.set(["channels", "telegram", "enabled"], true);
    draft.unset(["channels", "telegram", "enabled"]);
    expect([draft.isEdited, draft.patch()]).toEqual([false, undefined]);
  });
});
