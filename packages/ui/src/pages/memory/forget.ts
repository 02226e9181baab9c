// Forgets: each time it says first what will go, and afterwards what went.
import type { MethodAnswer, MethodParams } from "@chela/sdk/protocol";
import type { World } from "../../app/world.ts";
import { shortKey } from "../../state/session-title.ts";
import { subjectName } from "./fact-words.ts";

export type Fact = MethodAnswer<"memory.facts">["facts"][number];
type What = MethodParams<"memory.forget">["what"];
type Forgotten = MethodAnswer<"memory.forget">["forgotten"];

export function forgetFact(world: World, agentId: string, { id, text }: Fact): Promise<boolean> {
  const words = world.words.of("memory");
  return forget(world, agentId, { kind: "fact", id }, words.forgetFactTitle, words.forgetFactText(text));
}

export function forgetSubject(world: World, agentId: string, subject: string, facts: number): Promise<boolean> {
  const words = world.words.of("memory");
  const title = words.forgetSubjectTitle(subjectName(subject, words));
  const text = words.forgetSubjectText(countFacts(world, facts));
  return forget(world, agentId, { kind: "subject", subject }, title, text);
}

export function forgetPerson(world: World, agentId: string, person: string): Promise<boolean> {
  const words = world.words.of("memory");
  const what = { kind: "person", person } as const;
  return forget(world, agentId, what, words.forgetPersonTitle(person), words.forgetPersonText(person));
}

export async function forgetSession(world: World, agentId: string, sessionKey: string): Promise<boolean> {
  const words = world.words.of("memory");
  try {
    const { total } = await world.wire.call("memory.facts", { agentId, sessionKey, limit: 1 });
    const text = words.forgetSessionText(countFacts(world, total));
    const title = words.forgetSessionTitle(shortKey(sessionKey));
    return await forget(world, agentId, { kind: "session", sessionKey }, title, text);
  } catch (error) {
    world.notices.complain(error);
    return false;
  }
}

async function forget(world: World, agentId: string, what: What, title: string, text: string): Promise<boolean> {
  const words = world.words.of("memory");
  const question = { title, text: `${text} ${words.forgetStays}`, yes: words.forget, isDangerous: true };
  if (!(await world.notices.ask(question))) return false;
  try {
    const { forgotten } = await world.wire.call("memory.forget", { agentId, what });
    world.keep.drop("memory");
    world.notices.say(tell(world, forgotten));
    return true;
  } catch (error) {
    world.notices.complain(error);
    return false;
  }
}

function tell(world: World, { facts, episodes, summaries, chunks }: Forgotten): string {
  const words = world.words.of("memory");
  const format = (count: number): string => world.words.number(count);
  const touched = episodes + summaries;
  const others = [
    ...(touched > 0 ? [words.summaryCount(format(touched), touched)] : []),
    ...(chunks > 0 ? [words.pieceOfIndexCount(format(chunks), chunks)] : []),
  ];
  const gone = countFacts(world, facts);
  return others.length > 0 ? words.forgottenMore(gone, others.join(", ")) : words.forgotten(gone);
}

function countFacts(world: World, count: number): string {
  return world.words.of("memory").factCount(world.words.number(count), count);
}
