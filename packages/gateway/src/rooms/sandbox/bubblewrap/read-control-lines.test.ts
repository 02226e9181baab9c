// What the warden reports, and what others may write in its place.
import { describe, expect, it } from "vitest";
import { readControlLines, type WardenReport } from "./read-control-lines.ts";

function read(...chunks: string[]): WardenReport[] {
  const reports: WardenReport[] = [];
  const take = readControlLines((report) => reports.push(report));
  for (const chunk of chunks) take(Buffer.from(chunk, "latin1"));
  return reports;
}

describe("reports of the warden", () => {
  it.each<[string, WardenReport]>([
    ["ready", { kind: "ready" }],
    ["forwarding", { kind: "forwarding" }],
    ["open c1-ab", { kind: "open", id: "c1-ab" }],
    ["start c1-ab 17", { kind: "start", id: "c1-ab", innerPid: 17 }],
    ["end 17 255", { kind: "end", innerPid: 17, code: 255 }],
  ])("understands %s", (line, report) => {
    expect(read(`${line}\n`)).toEqual([report]);
  });

  it.each([
    "",
    "ready ",
    "READY",
    "open",
    "open c1 2",
    "open ../x",
    "start c1",
    "start c1 -1",
    "start c1 1 2",
    "start c1 12345678",
    "start C1 1",
    `start ${"a".repeat(41)} 0`,
    "end 1 256",
    "end 1 0x1",
    "end c1 0",
    "end 12345678 0",
    "end 1 0\r",
    "stop c1",
    "\u0000ready",
  ])("takes %j for nothing", (line) => {
    expect(read(`${line}\nready\n`)).toEqual([{ kind: "ready" }]);
  });

  it("puts lines together that come in pieces", () => {
    expect(read("sta", "rt c1 ", "5\nend 5", " 0\n")).toEqual([
      { kind: "start", id: "c1", innerPid: 5 },
      { kind: "end", innerPid: 5, code: 0 },
    ]);
  });

  it("keeps nothing of an endless line, and goes on after it", () => {
    const endless = Array.from({ length: 50 }, () => "x".repeat(10_000));
    expect(read(...endless, "\nend 5 0\n")).toEqual([{ kind: "end", innerPid: 5, code: 0 }]);
    expect(read("x".repeat(200), "ready\n", "ready\n")).toEqual([{ kind: "ready" }]);
  });
});
