// Lines that belong together.
import { describe, expect, it } from "vitest";
import { createBatches, type HistoryBatch } from "./batches.ts";
import { parseLine, type Line } from "../server/line.ts";

function feed(...raw: string[]) {
  const lines: Line[] = [];
  const histories: HistoryBatch[] = [];
  const batches = createBatches(
    (line) => lines.push(line),
    (batch) => histories.push(batch),
  );
  for (const text of raw) batches.take(parseLine(text) as Line);
  return { texts: lines.map(({ params }) => params.at(-1)), lines, histories };
}

describe("batches", () => {
  it("give a message of several lines on as one, with the tags and the sender of the whole", () => {
    const { lines } = feed(
      "@msgid=whole;account=alice :a!b@c BATCH +1 draft/multiline #room",
      "@batch=1 :a!b@c PRIVMSG #room :one",
      "@batch=1 :a!b@c PRIVMSG #room :",
      "@batch=1;draft/multiline-concat :a!b@c PRIVMSG #room :two",
      ":a!b@c PRIVMSG #room :between",
      "BATCH -1",
    );
    expect(lines.map(({ params }) => params)).toEqual([
      ["#room", "between"],
      ["#room", "one\ntwo"],
    ]);
    expect(lines[1]?.tags.get("msgid")).toBe("whole");
    expect(lines[1]?.source).toEqual({ nick: "a", user: "b", host: "c" });
  });

  it("hand over history as a whole, with messages of several lines in it", () => {
    const { texts, histories } = feed(
      "BATCH +h chathistory #room",
      "@batch=h :a!b@c PRIVMSG #room :first",
      "@batch=h BATCH +m draft/multiline #room",
      "@batch=m :a!b@c PRIVMSG #room :x",
      "@batch=m :a!b@c PRIVMSG #room :y",
      "BATCH -m",
      "BATCH -h",
    );
    expect(texts).toEqual([]);
    expect(histories.map(({ type, target, lines }) => [type, target, lines.map(({ params }) => params[1])])).toEqual([
      ["chathistory", "#room", ["first", "x\ny"]],
    ]);
  });

  it("give on what is in batches of other kinds, and do not mind ends without beginnings", () => {
    expect(feed("BATCH +n netsplit a b", "@batch=n :a!b@c QUIT :gone", "BATCH -n", "BATCH -n").texts).toEqual(["gone"]);
    expect(feed("@batch=unknown :a!b@c PRIVMSG x :kept").texts).toEqual(["kept"]);
  });

  it("do not grow without end", () => {
    const many = Array.from({ length: 5000 }, () => "@batch=1 :a!b@c PRIVMSG #room :x");
    const { texts } = feed("BATCH +1 draft/multiline #room", ...many, "BATCH -1");
    expect(texts[0]?.length).toBeLessThan(5000);
  });
});
