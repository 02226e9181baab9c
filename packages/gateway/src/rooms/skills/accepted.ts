// Skills of exposed workspaces that the owner has looked at, as their files were then.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { GatewayError, once, type Parsed } from "@chela/sdk";
import { errnoOf, writeFileAtomic } from "@chela/sdk/files";
import { parseJson } from "@chela/sdk/base";

const Accepted = once(() => z.object({ digest: z.string(), acceptedAt: z.number() }));
export type Accepted = Parsed<typeof Accepted>;

const File = once(() => z.object({ version: z.literal(1), skills: z.record(z.string(), Accepted()) }));

/** By the folder of the skill. */
export type AcceptedSkills = ReadonlyMap<string, Accepted>;

export function readAccepted(stateDir: string): AcceptedSkills {
  const path = acceptedPath(stateDir);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return new Map();
    throw new GatewayError("SKILL_REQUEST", `${path} cannot be read (${errnoOf(error) ?? "unknown error"}).`);
  }
  const parsed = File().safeParse(parseJson(text));
  // Nothing is known to be looked at: skills there wait until they are accepted anew.
  return parsed.success ? new Map(Object.entries(parsed.data.skills)) : new Map();
}

export function writeAccepted(stateDir: string, accepted: AcceptedSkills): void {
  const content = { version: 1, skills: Object.fromEntries(accepted) };
  writeFileAtomic(acceptedPath(stateDir), `${JSON.stringify(content, null, 2)}\n`);
}

export function acceptedPath(stateDir: string): string {
  return join(stateDir, "skills", "accepted.json");
}
