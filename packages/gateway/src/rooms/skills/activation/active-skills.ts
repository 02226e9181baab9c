// The skills a conversation has activated: kept in its session entry, so that they are known after a restart and gone with it.
import * as z from "zod";
import { once, type Parsed, type SessionEntry } from "@chela/sdk";

const Active = once(() =>
  z.object({
    name: z.string(),
    /** The folder, links resolved: another skill of the same name is another one. */
    dir: z.string(),
    /** Of its SKILL.md as it was told. */
    digest: z.string(),
    /** How often the conversation had been summarised by then. */
    compactions: z.number(),
  }),
);
export type ActiveSkill = Parsed<typeof Active>;

/** A field of ours in the session entry. */
const FIELD = "activeSkills";
const Field = once(() => z.object({ sessionId: z.string(), skills: z.array(Active()) }));

/** More at once than any task needs; the oldest is let go. */
const MOST_ACTIVE = 32;

export function activeSkills(entry: SessionEntry | undefined): readonly ActiveSkill[] {
  const parsed = Field().safeParse(entry?.[FIELD as keyof SessionEntry]);
  // What an earlier conversation under the same key activated is nothing to this one.
  return parsed.success && parsed.data.sessionId === entry?.sessionId ? parsed.data.skills : [];
}

export function withActive(entry: SessionEntry, skill: ActiveSkill): SessionEntry {
  const others = activeSkills(entry).filter(({ name }) => name !== skill.name);
  const skills = [...others, skill].slice(-MOST_ACTIVE);
  return { ...entry, [FIELD]: { sessionId: entry.sessionId, skills } };
}
