// Parts that several sections of the config have in common.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  idList,
  item,
  key,
  keyed,
  listOf,
  mapOf,
  positive,
  text,
  texts,
} from "@chela/sdk/config";
import { toolPolicy, toolPolicyShape, type Says } from "@chela/sdk/config";

/** A model by name, or a first choice with fallbacks. */
export const modelChoice = once(() =>
  z
    .union([
      z.string(),
      keyed({
        primary: key(z.string().optional(), "The model to begin with, as provider/model or a short name."),
        fallbacks: key(z.array(z.string()).optional(), "Models to try when it cannot answer, in this order."),
      }),
    ])
    .optional(),
);

const toolProfile = once(() => choice("minimal", "coding", "messaging", "full"));
const toolsByProvider = () =>
  mapOf(
    item(() => ({
      ...toolPolicyShape({
        allow: "Only these tools for those models.",
        alsoAllow: "Further tools for those models.",
        deny: "Never these tools for those models.",
      }),
      profile: key(toolProfile(), "The profile for models of this provider, or for one model (provider/model)."),
    })),
  );

/** The tool settings that both the gateway and a single agent may have. */
export const agentToolShape = () => ({
  profile: key(toolProfile(), "A named set of tools to begin with; full, or none named, is all of them."),
  ...toolPolicyShape({
    allow: "Only these tools: names, name*, or a family such as group:fs.",
    alsoAllow: "Further tools beside those of the profile or of the list.",
    deny: "Never these tools, whatever else is said.",
  }),
  byProvider: toolsByProvider(),
  elevated: block(() => ({
    enabled: key(bool(), "Whether anybody may run elevated commands.", { preset: true }),
    allowFrom: key(
      mapOf(idList().unwrap()),
      "Who may run elevated commands, by channel. Ids only: * stands for nobody here, in OpenClaw for everybody. The list of one agent only narrows the one for all.",
    ),
  })),
  fs: block(() => ({
    workspaceOnly: key(
      bool(),
      "Whether the file tools stay inside the workspace. On by default; in OpenClaw off. The state directory and other agents' workspaces stay closed either way.",
      { preset: true },
    ),
  })),
  loopDetection: block(() => ({
    enabled: key(
      bool(),
      "Whether a model that goes in circles is warned and stopped. On by default; in OpenClaw off.",
      { preset: true },
    ),
    historySize: key(positive(), "How many calls of a turn are remembered.", { preset: 30 }),
    warningThreshold: key(positive(), "After how many repetitions a model is warned.", { preset: 10 }),
    criticalThreshold: key(positive(), "After how many repetitions without news a call is refused.", { preset: 20 }),
    globalCircuitBreakerThreshold: key(
      positive(),
      "After how many equal results the same call is refused, whichever detectors are on.",
      { preset: 30 },
    ),
    detectors: block(() => ({
      genericRepeat: key(bool(), "Warns of the same call again and again.", { preset: true }),
      knownPollNoProgress: key(bool(), "Looks for asking whether something is done while nothing changes.", {
        preset: true,
      }),
      pingPong: key(bool(), "Looks for two calls that alternate without any change.", { preset: true }),
    })),
  })),
  sandbox: block(() => ({
    tools: toolPolicy({
      allow: "Only these tools in sandboxed conversations.",
      alsoAllow: "Further tools in sandboxed conversations.",
      deny: "Never these tools in sandboxed conversations.",
    }),
  })),
});

export const execShape = () => ({
  security: key(
    choice("deny", "allowlist", "full"),
    "Which commands may run: none (deny), those on the allow-list (the default), or all (full). OpenClaw runs everything without asking as long as there is no sandbox and no host is chosen.",
    { preset: "allowlist" },
  ),
  ask: key(
    choice("off", "on-miss", "always"),
    "Whether a person is asked: never (what is not allowed is refused then), about commands that are not on the list (on-miss, the default), or always.",
    { preset: "on-miss" },
  ),

  pathPrepend: key(texts(), "Directories in which commands look for programs first."),
  safeBins: key(
    texts(),
    "Filters that need no approval as long as they read only what is piped into them; [] for none.",
    { preset: ["cut", "head", "jq", "tail", "tr", "uniq", "wc"] },
  ),
  safeBinTrustedDirs: key(texts(), "Further directories in which such a filter may lie."),
  safeBinProfiles: mapOf(
    item(() => ({
      minPositional: key(count(), "Fewest arguments that are not options."),
      maxPositional: key(count(), "Most arguments that are not options."),
      allowedValueFlags: key(texts(), "The only options this filter may have, each with a value."),
      deniedFlags: key(texts(), "Options this filter must not have."),
    })),
  ),
  backgroundMs: key(positive(), "How long a call waits before its command goes on in the background.", {
    preset: 10_000,
  }),
  timeoutSec: key(positive(), "How long a command may take.", { preset: 1800 }),
  cleanupMs: key(positive(), "How long a finished command can still be looked at.", { preset: 1_800_000 }),
  notifyOnExit: key(bool(), "Whether the end of a command in the background is told.", { preset: true }),
  notifyOnExitEmptySuccess: key(bool(), "The same for commands that succeeded without printing anything.", {
    preset: false,
  }),
  applyPatch: block(() => ({
    enabled: key(
      bool(),
      "Whether there is a tool that patches several files at once. On by default; in OpenClaw off.",
      { preset: true },
    ),
    workspaceOnly: key(bool(), "Whether patches stay inside the workspace.", { preset: true }),
    allowModels: key(texts(), "Only for these models: id, or provider/id. None named: for all."),
  })),
});

/** Rules that allow or deny something by channel, kind of chat and session key. */
export const scopeRules = once(() =>
  block(() => ({
    default: key(
      choice("allow", "deny"),
      "Whether conversations that no rule is about may be written to and answered.",
      { preset: "allow" },
    ),
    rules: listOf(
      item(() => ({
        action: key(
          choice("allow", "deny"),
          "What holds for those that match. A rule that denies comes before one that allows.",
        ),
        match: block(() => ({
          channel: key(text(), "Conversations of this channel."),
          chatType: key(choice("direct", "group", "channel", "dm"), "Conversations of this kind."),
          keyPrefix: key(text(), "Conversations whose key, without agent:ID:, begins like this."),
          rawKeyPrefix: key(text(), "Conversations whose whole key begins like this."),
        })),
      })),
    ),
  })),
);

export const chunking = once(() =>
  block(() => ({
    minChars: key(positive(), "How much text makes a part.", { preset: 800 }),
    maxChars: key(positive(), "How much it is at most.", { preset: 1200 }),
    breakPreference: key(choice("paragraph", "newline", "sentence"), "Where it is cut, if possible.", {
      preset: "paragraph",
    }),
  })),
);

export const groupChat = (says: Says<"mentionPatterns" | "historyLimit">) =>
  block(() => ({
    mentionPatterns: key(texts(), says.mentionPatterns),
    historyLimit: key(positive(), says.historyLimit, { preset: 50 }),
  }));
export const typingMode = once(() => choice("never", "instant", "thinking", "message"));
export const tailscaleMode = once(() => choice("off", "serve", "funnel"));
