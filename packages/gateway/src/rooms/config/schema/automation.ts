// `cron`, `hooks`, `commands`, `approvals`: what runs by itself, what people may order, what needs a yes.
import * as z from "zod";
import {
  block,
  bool,
  boolOrAuto,
  choice,
  harmless,
  idList,
  item,
  key,
  listOf,
  mapOf,
  nonEmptyText,
  openKeyed,
  part,
  positive,
  secret,
  secretMap,
  section,
  text,
  textOrFalse,
  textOrNumber,
  texts,
} from "@chela/sdk/config";

export const acpSection = section(
  "Other agents that speak the Agent Client Protocol (ACP) and work here.",
  { reload: "live" },
  () =>
    block(() => ({
      enabled: key(bool(), "Whether other agents may be given work.", { preset: true }),
      defaultAgent: key(text(), "The one that is meant where none is named."),
      allowedAgents: key(
        texts(),
        "Only these may be given work; all that are configured unless something is written here.",
      ),
      maxConcurrentSessions: key(positive(), "How many of them may be at work at once.", { preset: 8 }),
      agents: mapOf(
        item(() => ({
          command: key(text(), "The program it is started by, as its path or a name that is found."),
          args: key(texts(), "Arguments of the program."),
          env: key(
            secretMap(),
            "Environment variables it is given besides a few of the gateway's own, such as PATH and HOME.",
          ),
        })),
      ),
      runtime: block(() => ({
        ttlMinutes: key(positive(), "After how many minutes without work its process ends.", { preset: 15 }),
      })),
    })),
);

export const cronSection = section("Work at fixed times.", { reload: { room: "cron" } }, () =>
  block(() => ({
    enabled: key(bool(), "Whether jobs run by themselves at their time. By hand they can be run either way.", {
      preset: true,
    }),
    store: key(
      text(),
      "Where the jobs are mirrored as OpenClaw keeps them; the logs of their runs lie beside it. The ledger is what counts.",
      { preset: "~/.openclaw/cron/jobs.json" },
    ),
    maxConcurrentRuns: key(
      positive(),
      "How many turns of jobs may run at once. When it is set, it holds for commands of jobs, too; else four of those may.",
      { guards: false },
    ),
    webhook: key(text(), "Where jobs of older stores that say notify post their results."),
    webhookToken: key(
      secret(),
      "Goes with every result that is posted, as a bearer token, and signs it (X-Chela-Signature). The receiver checks either.",
    ),
    sessionRetention: key(
      textOrFalse(),
      "How long the conversation of a run can be looked into before it is archived: 24h, 7d; false for ever.",
      { preset: "24h", guards: false },
    ),
    runLog: harmless(
      block(() => ({
        maxBytes: key(textOrNumber(), "How large the log of one job's runs may grow before older lines are dropped.", {
          preset: 2_000_000,
        }),
        keepLines: key(positive(), "How many lines it has at most. So many runs of each job are remembered, too.", {
          preset: 2000,
        }),
      })),
    ),
  })),
);

export const hooksSection = section(
  "Messages from other programs over HTTP, and handlers on events.",
  { reload: { room: "hooks" } },
  () =>
    block(() => ({
      enabled: key(bool(), "Whether other programs may tell agents something over HTTP.", { preset: false }),
      path: key(text(), "The path they use.", { preset: "/hooks" }),
      token: key(
        secret(),
        "The token they send in a header. It must not be the gateway's own; without it only signed mappings are there.",
      ),
      defaultSessionKey: key(
        text(),
        "The conversation of requests that name none; one of its own for each when absent.",
      ),
      allowRequestSessionKey: key(bool(), "Whether a request may choose its conversation.", { preset: false }),
      allowedSessionKeyPrefixes: key(texts(), "What such a choice must begin with."),
      allowedAgentIds: key(texts(), "Agents that may be named; * for all. Absent means all, an empty list none."),
      maxBodyBytes: key(positive(), "The largest body that is taken.", { preset: 262_144 }),
      presets: key(
        texts(),
        "Mappings for well-known senders by name. Those that sign need a mapping with a secret instead.",
      ),
      transformsDir: key(text(), "Where transforms lie, inside the folder hooks beside this file."),
      mappings: listOf(item(mappingShape)),
      gmail: part(gmail(), { reload: { room: "gmail" } }),
      internal: block(() => ({
        enabled: key(bool(), "Whether hooks run at all: handlers on events. `chela hooks enable` sets it."),
        handlers: listOf(
          item(() => ({
            event: key(text(), "The event that an older handler, which is one module and no folder, is called on."),
            module: key(text(), "The module of that handler."),
            export: key(text(), "What of the module is called; its default export unless told."),
          })),
        ),
        entries: mapOf(
          z.lazy(() =>
            openKeyed(
              {
                enabled: key(
                  bool(),
                  "Whether this hook runs. One that lies in a workspace runs only after `chela hooks enable`.",
                ),
                env: key(secretMap(), "Environment variables for this hook, besides those of the gateway."),
              },
              key(z.unknown(), "Whatever else the hook wants to be told; its HOOK.md says what."),
            ),
          ),
        ),
        load: block(() => ({
          extraDirs: key(texts(), "Directories with more hooks of yours. A relative one is seen from this file."),
        })),
      })),
    })),
);

const mappingShape = () => ({
  id: key(text(), "Names the mapping in lists, logs and runs; made from its path when absent."),
  preset: key(
    choice("github", "gmail", "stripe", "sentry", "generic"),
    "What a well-known sender needs: its path, texts and way to sign. Ours; OpenClaw has presets only by name.",
  ),
  match: block(() => ({
    path: key(text(), "What stands behind hooks.path in the address; any when absent."),
    source: key(text(), "What `source` in the payload must be."),
  })),
  action: key(
    choice("wake", "agent"),
    "agent: an agent is asked in a conversation of its own. wake: the agent is told in its main conversation.",
  ),
  wakeMode: key(choice("now", "next-heartbeat"), "Whether an agent hears of it now or with its next heartbeat."),
  name: key(text(), "What it is called in notes; may hold {{…}}."),
  agentId: key(text(), "Which agent; the default one when absent. A blank or unknown one is an error."),
  sessionKey: key(
    text(),
    "The conversation; one of its own for each request when absent. With {{…}} it must begin with hook: or one of hooks.allowedSessionKeyPrefixes.",
  ),
  messageTemplate: key(
    text(),
    "What an agent is asked, with {{payload.a.b[0]}}, {{headers.x}}, {{query.x}}, {{path}} and {{now}}.",
  ),
  textTemplate: key(text(), "The same for the action wake."),
  instructions: key(text(), "Your own words to the agent, before the text, which is marked as a stranger's. Ours."),
  deliver: key(bool(), "Whether the answer is sent on."),
  allowUnsafeExternalContent: key(
    bool(),
    "Does not mark the text as a stranger's. Only for senders you trust like yourself.",
  ),
  // Every channel, also one that comes in a package of its own.
  channel: key(text(), "Where the answer goes: a channel, or last for where the agent was spoken to last."),
  to: key(text(), "To whom; may hold {{…}}."),
  model: key(text(), "The model; may hold {{…}}."),
  thinking: key(text(), "How much the model thinks: off, minimal, low, medium, high or xhigh."),
  timeoutSeconds: key(positive(), "How long the agent may take."),
  tools: block(() => ({
    allow: key(texts(), "Only these tools, of those the agent has. Ours."),
    deny: key(texts(), "Never these tools. Ours."),
  })),
  dedupe: key(
    text(),
    "How a request that comes again is known: auto (what the sender's scheme has), body, none, or a field such as payload.id. Ours.",
  ),
  signature: block(() => ({
    type: key(
      choice("github", "stripe", "slack", "sentry", "standard", "chela", "generic"),
      "How requests are signed: github, stripe, slack, sentry, standard, chela or generic. Ours.",
    ),
    secret: key(secret(), "The secret shared with the sender. Without it the mapping is not there. Ours."),
    header: key(text(), "The header of a generic signature; x-signature when absent. Ours."),
    toleranceSeconds: key(positive(), "How old a signed time may be. Ours."),
  })),
  transform: block(() => ({
    module: key(text(), "A module in hooks/transforms that looks at a request first, and may change or drop it."),
    export: key(text(), "Its function; default or transform when absent."),
  })),
});

const gmail = () =>
  block(() => ({
    allowUnsafeExternalContent: key(bool(), "The same as in a mapping, for the preset gmail."),

    model: key(text(), "The model for the preset gmail."),
    thinking: key(
      choice("off", "minimal", "low", "medium", "high"),
      "How much the model thinks, for the preset gmail.",
    ),
  }));

export const commandsSection = section(
  "Words for the gateway in chats, and who may say them.",
  { reload: "live" },
  () =>
    block(() => ({
      native: key(
        boolOrAuto(),
        "Whether the gateway's commands are offered in the menus of platforms that have one; false for not. Seen at the next connection.",
        { preset: "auto" },
      ),

      config: key(bool(), "Whether owners may see and change the configuration by /config.", { preset: false }),
      debug: key(bool(), "Whether owners may change it for the time being by /debug.", { preset: false }),
      restart: key(bool(), "Whether /restart works.", { preset: true }),
      useAccessGroups: key(bool(), "Whether only people who are known may give commands; if not, whoever may speak.", {
        preset: true,
      }),
      ownerAllowFrom: key(idList(), "Who counts as an owner in channels: ids, also as channel:id."),

      allowFrom: key(
        mapOf(idList().unwrap()),
        "Who may give commands, by channel; the list under * holds for channels without one.",
      ),
    })),
);

export const approvalsSection = section("Where people are asked whether a command may run.", { reload: "live" }, () =>
  block(() => ({
    exec: block(() => ({
      enabled: key(
        bool(),
        "Whether questions about commands are also asked in chats, as set here. Unless it is written, only in the chat of an owner whose message is being answered; false for never.",
      ),
      mode: key(
        choice("session", "targets", "both"),
        "Where they are asked: in the conversation's own chat, in those under targets, or in both.",
        { preset: "session" },
      ),
      agentFilter: key(texts(), "Only for agents whose id contains one of these."),
      sessionFilter: key(texts(), "Only for conversations whose key contains one of these."),
      targets: listOf(
        item(() => ({
          channel: key(nonEmptyText(), "The channel of a chat to ask in."),
          to: key(nonEmptyText(), "The chat."),
          accountId: key(text(), "The account; the default one unless told."),
          threadId: key(textOrNumber(), "The thread."),
        })),
      ),
    })),
  })),
);
