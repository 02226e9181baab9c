// `skills`: what agents have been taught, where it lies, and what each skill is given.
import * as z from "zod";
import {
  block,
  bool,
  choice,
  count,
  harmless,
  item,
  key,
  mapOf,
  positive,
  secretMap,
  secretOrRef,
  section,
  text,
  texts,
} from "@chela/sdk/config";

export const skillsSection = section(
  "Skills: folders with a SKILL.md that teach agents how something is done.",
  { reload: "live" },
  () =>
    block(() => ({
      allowBundled: key(texts(), "Which of the skills that come along may be used; all of them when absent."),
      load: block(() => ({
        extraDirs: key(texts(), "Directories with more skills of yours. A relative one is seen from this file."),
      })),
      install: block(() => ({
        preferBrew: key(
          bool(),
          "Whether Homebrew is named first where a program a skill needs can be had in several ways.",
          {
            preset: true,
          },
        ),
        nodeManager: key(choice("npm", "pnpm", "yarn", "bun"), "What fetches programs that are packages of Node.", {
          preset: "npm",
        }),
      })),
      limits: harmless(
        block(() => ({
          maxCandidatesPerRoot: key(positive(), "How many folders of one place are looked at.", { preset: 300 }),
          maxSkillsLoadedPerSource: key(positive(), "How many skills of one place are known.", { preset: 200 }),
          maxSkillsInPrompt: key(count(), "Of how many skills an agent is told.", { preset: 150 }),
          maxSkillsPromptChars: key(count(), "How long that list may be.", { preset: 30_000 }),
          maxSkillFileBytes: key(positive(), "The largest SKILL.md that is read.", { preset: 256_000 }),
        })),
      ),
      registry: block(() => ({
        url: key(text(), "The registry that `chela skills search` and `install` ask. Ours.", {
          preset: "https://clawhub.ai",
        }),
      })),
      entries: mapOf(
        item(() => ({
          enabled: key(bool(), "Whether this skill may be used."),
          apiKey: key(
            secretOrRef(),
            "What the variable the skill names as its own is set to, in commands of conversations that use the skill.",
          ),
          env: key(secretMap(), "Further variables for those commands."),
          config: key(z.record(z.string(), z.unknown()).optional(), "Whatever else the skill wants to be told."),
        })),
      ),
    })),
);
