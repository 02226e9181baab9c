import { expect, it } from "vitest";
import { CommandOutput } from "./output.ts";

it("holds a few hundred kilobytes, however much was printed", () => {
  const output = new CommandOutput();
  const before = process.memoryUsage().heapUsed;
  for (let chunk = 0; chunk < 4_000; chunk += 1)
    output.append(Buffer.alloc(65_536, 97 + (chunk % 26)).toString("latin1"));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(150_000_000);
  expect(output.text()).toContain(`[${4_000 * 65_536 - 200_000} characters were cut here]`);
  expect(output.takePending()).toHaveLength(
    30_000 + "[262114000 earlier characters were left out; log shows more]\n".length,
  );
});

it.each([
  [200_000, false],
  [200_001, true],
])("cuts %d characters: %s", (length, isCut) => {
  const output = new CommandOutput();
  for (let at = 0; at < length; at += 999) output.append("x".repeat(Math.min(999, length - at)));
  expect(output.text().includes("were cut here")).toBe(isCut);
  expect(output.text().replace(/[^x]/g, "")).toHaveLength(200_000);
});

it("never gives half a character", () => {
  const output = new CommandOutput();
  output.append("🦞".repeat(150_001));
  for (const text of [output.text(), output.text(91), output.tail(3), output.takePending()]) {
    expect(text.isWellFormed()).toBe(true);
  }
});

it("gives what is new once", () => {
  const output = new CommandOutput();
  expect([output.isBlank, output.hasPending]).toEqual([true, false]);
  output.append("one");
  expect([output.isBlank, output.hasPending]).toEqual([false, true]);
  expect(output.takePending()).toBe("one");
  output.append("two");
  expect(output.takePending()).toBe("two");
  expect(output.takePending()).toBe("");
  expect(output.text()).toBe("onetwo");
});
