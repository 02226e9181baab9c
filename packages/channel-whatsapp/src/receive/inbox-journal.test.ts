// Messages between WhatsApp's acknowledgement and ours.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { InboxJournal, type KeptMessage } from "./inbox-journal.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "chela-inbox-"));
  path = join(directory, "inbox.jsonl");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const message = (id: string): KeptMessage => ({
  id,
  key: { remoteJid: "15551234567@s.whatsapp.net", id, participantAlt: "1@lid" },
  at: 1,
  message: "CgJoaQ==",
});
const idsIn = (journal: InboxJournal): string[] => journal.waiting.map(({ id }) => id);

describe("the inbox journal", () => {
  it("gives back what was kept and not released, in order, whole", () => {
    const journal = new InboxJournal(path);
    for (const id of ["a", "b", "c"]) journal.keep(message(id));
    journal.release("b");
    const after = new InboxJournal(path);
    expect(idsIn(after)).toEqual(["a", "c"]);
    expect(after.waiting[0]).toEqual(message("a"));
  });

  it("is empty once everything is released", () => {
    const journal = new InboxJournal(path);
    for (const id of ["a", "b"]) journal.keep(message(id));
    for (const id of ["a", "b"]) journal.release(id);
    expect(readFileSync(path, "utf8")).toBe("");
  });

  it("goes on after a line that broke off", () => {
    new InboxJournal(path).keep(message("a"));
    appendFileSync(path, '{"id":"b","key":{"remo');
    const after = new InboxJournal(path);
    after.keep(message("c"));
    expect(idsIn(new InboxJournal(path))).toEqual(["a", "c"]);
  });

  it("does nothing after it was closed", () => {
    const journal = new InboxJournal(path);
    journal.keep(message("a"));
    journal.close();
    journal.close();
    journal.release("a");
    expect(idsIn(new InboxJournal(path))).toEqual(["a"]);
  });
});
