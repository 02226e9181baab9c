// How texts get to the threads of the model, with threads that do what the test says.
import { createFakeClock } from "@chela/sdk/testing";
import { expect, it } from "vitest";
import { ModelThreads, type ThreadEvents } from "./model-threads.ts";
import type { ToThread } from "./thread-messages.ts";

interface FakeThread {
  readonly events: ThreadEvents;
  readonly given: ToThread[];
  isEnded: boolean;
  isHeld: boolean;
  ready(): void;
  /** Answers the text it has. */
  answer(): void;
  fail(): void;
}

function openCrew(mostThreads = 2) {
  const clock = createFakeClock();
  const threads: FakeThread[] = [];
  const logged: string[] = [];
  const start = (events: ThreadEvents) => {
    const thread: FakeThread = {
      events,
      given: [],
      isEnded: false,
      isHeld: true,
      ready: () => events.heard({ kind: "ready", runtime: "wasm" }),
      answer: () => {
        const { id, text } = thread.given.at(-1) ?? { id: 0, text: "" };
        events.heard({ kind: "embedded", id, vector: Float32Array.of(text.length) });
      },
      fail: () => events.heard({ kind: "failed", id: thread.given.at(-1)?.id ?? 0, why: "no" }),
    };
    threads.push(thread);
    return {
      give: (job: ToThread) => void thread.given.push(job),
      hold: (isNeeded: boolean) => void (thread.isHeld = isNeeded),
      end: async () => {
        thread.isEnded = true;
        events.ended("it was told to");
      },
    };
  };
  const crew = new ModelThreads({ clock, log: (_, message) => void logged.push(message), mostThreads, start });
  const textsOf = (at: number): string[] => threads[at]?.given.map(({ text }) => text) ?? [];
  const thread = (at: number): FakeThread => {
    const found = threads[at];
    if (!found) throw new Error(`there is no thread ${at}`);
    return found;
  };
  return { crew, clock, threads, thread, textsOf, logged };
}

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => "x".repeat(at + 1));

it("gives one text after the other, and the vectors in the order of the texts", async () => {
  const { crew, thread, textsOf } = openCrew();
  const work = crew.embed(["a", "bb", "ccc"], false);
  thread(0).ready();
  expect(textsOf(0)).toEqual(["a"]);
  for (let at = 0; at < 3; at++) thread(0).answer();
  expect(await work).toEqual([Float32Array.of(1), Float32Array.of(2), Float32Array.of(3)]);
});

it("takes a question before the documents that wait", async () => {
  const { crew, thread, textsOf } = openCrew();
  const documents = crew.embed(["one", "two"], false);
  thread(0).ready();
  const question = crew.embed(["question"], true);
  thread(0).answer();
  thread(0).answer();
  await question;
  expect(textsOf(0)).toEqual(["one", "question", "two"]);
  thread(0).answer();
  await documents;
});

it.each([
  ["a few texts", 15, 2, 1],
  ["many texts", 16, 2, 2],
  ["many texts on one core", 200, 1, 1],
])("starts as many threads as %s are worth", async (_, texts, most, expected) => {
  const { crew, threads } = openCrew(most);
  const work = crew.embed(many(texts), false);
  expect(threads).toHaveLength(expected);
  for (const one of threads) one.ready();
  for (let at = 0; at < texts; at++) threads[at % expected]?.answer();
  expect(await work).toHaveLength(texts);
});

it("lets go of the model a minute after the last text, and loads it again for the next", async () => {
  const { crew, clock, threads, thread, logged } = openCrew();
  const work = crew.embed(["a"], false);
  thread(0).ready();
  expect(thread(0).isHeld).toBe(true);
  thread(0).answer();
  await work;
  expect(thread(0).isHeld).toBe(false);
  await clock.advance(59_999);
  expect(thread(0).isEnded).toBe(false);
  await clock.advance(1);
  expect(thread(0).isEnded).toBe(true);
  void crew.embed(["b"], false);
  expect(threads).toHaveLength(2);
  expect(logged.filter((line) => line.includes("ended"))).toEqual([]);
});

it("does not unload while a long text is at work", async () => {
  const { crew, clock, thread } = openCrew();
  const work = crew.embed(["a"], false);
  thread(0).ready();
  await clock.advance(300_000);
  expect(thread(0).isEnded).toBe(false);
  thread(0).answer();
  await work;
});

it("replaces a thread that fell, and tries its text again", async () => {
  const { crew, thread, textsOf, logged } = openCrew();
  const work = crew.embed(["a", "b"], false);
  thread(0).ready();
  thread(0).events.ended(new Error("out of memory"));
  thread(1).ready();
  expect(textsOf(1)).toEqual(["a"]);
  thread(1).answer();
  thread(1).answer();
  expect(await work).toHaveLength(2);
  expect(logged).toContain("The thread of the embedding model ended");
});

it("gives up when the second thread falls too, and starts anew with the next text", async () => {
  const { crew, threads, thread } = openCrew();
  const works = [crew.embed(["a"], false), crew.embed(["b"], false)];
  thread(0).events.ended(new Error("cannot be loaded"));
  thread(1).events.ended(new Error("cannot be loaded"));
  for (const work of works) {
    await expect(work).rejects.toMatchObject({
      code: "MEMORY_EMBEDDING",
      detail: "the model on this machine cannot be run",
    });
  }
  expect(threads).toHaveLength(2);
  const again = crew.embed(["c"], false);
  thread(2).ready();
  thread(2).answer();
  expect(await again).toHaveLength(1);
});

it("says when the model fails on a text, and goes on with the texts of others", async () => {
  const { crew, thread, textsOf } = openCrew();
  const bad = crew.embed(["bad", "never tried"], false);
  const good = crew.embed(["good"], false);
  thread(0).ready();
  thread(0).fail();
  await expect(bad).rejects.toMatchObject({ code: "MEMORY_EMBEDDING", detail: "the model failed on a text" });
  while (textsOf(0).at(-1) !== "good") thread(0).answer();
  thread(0).answer();
  expect(await good).toEqual([Float32Array.of(4)]);
});

it("takes back what nobody wants any more", async () => {
  const { crew, thread, textsOf } = openCrew();
  const abort = new AbortController();
  const unwanted = crew.embed(["a", "b", "c"], false, abort.signal);
  const wanted = crew.embed(["d"], false);
  thread(0).ready();
  abort.abort(new Error("enough"));
  await expect(unwanted).rejects.toThrow("enough");
  thread(0).answer();
  thread(0).answer();
  await wanted;
  expect(textsOf(0)).toEqual(["a", "d"]);
});

it("finishes with a new thread what was under way when it was unloaded", async () => {
  const { crew, thread } = openCrew();
  const work = crew.embed(["a"], false);
  thread(0).ready();
  await crew.unload();
  expect(thread(0).isEnded).toBe(true);
  thread(1).ready();
  thread(1).answer();
  expect(await work).toHaveLength(1);
});

it("has no vectors for no texts, without loading anything", async () => {
  const { crew, threads } = openCrew();
  expect(await crew.embed([], false)).toEqual([]);
  expect(threads).toHaveLength(0);
});
