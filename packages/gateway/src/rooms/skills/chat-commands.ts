// Chat command /skill: which skills there are, and using one. What goes to a model is taken out before; the rest is here.
import { done, refused, type ChatCommand } from "@chela/sdk";
import type { House } from "../../house/house.ts";
import type { KnownSkill } from "./skills.ts";

export const commands: ReadonlyArray<ChatCommand<House>> = [
  {
    name: "skill",
    aliases: [],
    usage: "[name] [input]",
    category: "Tools",
    who: "authorised",
    help: "use a skill, or list them",
    async run(args, call, house) {
      const { skills } = await house.skills();
      const [, name = "", input = ""] = /^(\S*)\s*([\s\S]*)$/.exec(args.trim()) ?? [];
      if (name === "") return done(...listOf(skills.look(call.agentId).ready));
      const skill = skills.find(call.agentId, name);
      if (!skill?.skill.isForPeople) return refused(`⚠️ There is no skill ${name}.`, "/skill shows which there are.");
      if (skill.state !== "ready") return refused(`⚠️ ${skill.name} cannot be used.`, ...skill.why);
      const { commandTool } = skill.skill;
      // It became usable a moment ago, or models alone use it: asking again uses it.
      if (commandTool === undefined) return refused(`⚠️ ${skill.name} was not ready yet. Send it again.`);
      const told = { command: input, commandName: skill.command ?? skill.name, skillName: skill.name };
      return done(await call.runTool(commandTool, told));
    },
  },
];

function listOf(ready: readonly KnownSkill[]): string[] {
  const mine = ready.filter(({ skill }) => skill.isForPeople).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (mine.length === 0) return ["There are no skills here."];
  return mine.map(({ name, command, skill: { emoji, description } }) => {
    const short = description.length > 100 ? `${description.slice(0, 99)}…` : description;
    return `${emoji ? `${emoji} ` : ""}/${command ?? `skill ${name}`} – ${short}`;
  });
}
