// Lines of transcripts of every age and author.
import { readFileSync, globSync } from "node:fs";
import { join } from "node:path";
import {
  createNormaliser,
  type CanonicalEntry,
} from "../../packages/gateway/src/rooms/ledger/import/normalise-entry.ts";
import { normaliseSession } from "../../packages/gateway/src/rooms/ledger/import/normalise-session.ts";
import { parseObject } from "../../packages/gateway/src/rooms/ledger/mirror/read-lines.ts";
import { promise, type Target } from "../target.ts";

const FIXTURES = join(import.meta.dirname, "../../packages/gateway/src/rooms/ledger/import/fixtures");

const transcript: Target = {
  name: "transcript",
  promises:
    "Every line becomes an entry that is one line of JSON with an id of its own and a parent that came before; read again, the entries stay as they are.",
  kind: "text",
  seeds: () =>
    globSync(join(FIXTURES, "*.jsonl"))
      .toSorted()
      .map((path) => readFileSync(path, "utf8").slice(0, 4000)),
  words: [
    ...'"id": "parentId": "type": "message" "timestamp": "role": "content": "toolCall" "usage": "firstKeptEntryId": null'.split(
      " ",
    ),
    ..."tool_use custom: toolResult 1e400 -1 __proto__ user assistant thinking image \n {} [] 00000000".split(" "),
  ],
  open: () => ({
    run(input) {
      const first = readAll(input.split("\n"));
      const again = readAll(first.map(({ line }) => line));
      for (const [index, { line, id }] of first.entries()) {
        promise(again[index]?.id === id, () => `the id ${id} becomes ${again[index]?.id} when it is read again`);
        promise(
          withoutTimes(again[index]?.line) === withoutTimes(line),
          () => `read again, ${line} becomes ${again[index]?.line}`,
        );
      }
    },
  }),
};

/** Small numbers were seconds once, so that a time of the seventies is ever another one. */
function withoutTimes(line = ""): string {
  return line.replace(/"timestamp":\s*-?\d[\d.e+]*/g, "");
}

function readAll(lines: readonly string[]): CanonicalEntry[] {
  const normaliser = createNormaliser("session");
  const ids = new Set<string>();
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => {
      const value = parseObject(line);
      const entry = value ? normaliser.entry(value, line) : normaliser.unreadable(Buffer.from(line));
      const { id, parentId } = entry;
      promise(!ids.has(id), `two entries have the id ${id}`);
      promise(parentId === null || ids.has(parentId), `the parent ${parentId} did not come before`);
      promise(parseObject(entry.line)?.["id"] === id && !entry.line.includes("\n"), "an entry is not one line of JSON");
      ids.add(id);
      return entry;
    });
}

const sessionRow: Target = {
  name: "session-row",
  promises: "Every row of a session index is read; what does not fit is kept beside.",
  kind: "json",
  seeds: () =>
    globSync(join(FIXTURES, "*/sessions.json"))
      .toSorted()
      .flatMap((path) => Object.values(JSON.parse(readFileSync(path, "utf8")) as object))
      .map((row) => JSON.stringify(row)),
  words: ["sessionId", "updatedAt", "importedFields", "model", "activeSessionId", "tokenCounts", "deliveryContext"],
  open: () => ({
    run(input) {
      const row = parseObject(input);
      if (!row) return;
      const entry = normaliseSession(row, { updatedAt: 5, newSessionId: () => "00000000-0000-4000-8000-000000000000" });
      promise(typeof entry.sessionId === "string" && Number.isFinite(entry.updatedAt), "a row has no id or no time");
      // What a row calls its counts is its own affair.
      if ("activeSessionId" in entry) return;
      const again = normaliseSession({ ...entry }, { updatedAt: 6, newSessionId: () => "another" });
      promise(JSON.stringify(again) === JSON.stringify(entry), "read again, a row has changed");
    },
  }),
};

export const transcripts: readonly Target[] = [transcript, sessionRow];
