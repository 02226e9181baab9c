// `messages`, `audio`, `media`, `bindings`: what happens to a message on its way in and out.
import { once } from "@chela/sdk";
import {
  block,
  bool,
  choice,
  count,
  harmless,
  item,
  key,
  listOf,
  mapOf,
  positive,
  section,
  text,
  texts,
} from "@chela/sdk/config";
import { groupChat } from "./shared.ts";

const queueMode = once(() =>
  choice("steer", "followup", "collect", "steer-backlog", "steer+backlog", "queue", "interrupt"),
);
const countByChannel = once(() => mapOf(count().unwrap()));

export const messagesSection = section("How messages are taken, put together and answered.", { reload: "live" }, () =>
  block(() => ({
    responsePrefix: key(
      text(),
      'What stands before answers; {model}, {provider}, {identity.name} and {thinkingLevel} are filled in, and "auto" is the agent\'s name in brackets.',
      { guards: false },
    ),
    groupChat: harmless(
      groupChat({
        mentionPatterns: "Regular expressions for words that mean the agent in groups.",
        historyLimit: "How much of what was said in a group, but not to the agent, it is told.",
      }),
    ),
    queue: harmless(
      block(() => ({
        mode: key(
          queueMode(),
          "What becomes of a message that comes while the agent is busy: answered with others (collect), one by one (followup), told to the running turn (steer, queue), both (steer-backlog), or it takes the turn's place (interrupt). Our own clients have followup unless told.",
          { preset: "collect" },
        ),
        byChannel: key(mapOf(queueMode().unwrap()), "The same for single channels; webchat are our own clients."),
        debounceMs: key(count(), "How long it must be quiet before what was collected is answered.", { preset: 1000 }),
        debounceMsByChannel: key(countByChannel(), "The same for single channels."),
        cap: key(positive(), "How many messages may wait in a conversation.", { preset: 20 }),
        drop: key(
          choice("old", "new", "summarize"),
          "What goes when there are more: the oldest, the newest, or the oldest with a line about it in the next turn (summarize).",
          { preset: "summarize" },
        ),
      })),
    ),
    inbound: harmless(
      block(() => ({
        debounceMs: key(count(), "How long the first message waits for more, also when the agent is free.", {
          preset: 0,
        }),
        byChannel: key(countByChannel(), "The same for single channels."),
      })),
    ),
    ackReaction: key(
      text(),
      'The reaction a message gets as soon as it is taken; "" for none. Unless it is written, the agent\'s emoji, else 👀.',
      { guards: false },
    ),
    ackReactionScope: key(
      choice("group-mentions", "group-all", "direct", "all", "off", "none"),
      "Which messages get it: in groups those that mention the agent, all in groups, direct ones, or all.",
      { preset: "group-mentions", guards: false },
    ),
    removeAckAfterReply: key(bool(), "Whether it is taken away when the answer is there.", {
      preset: false,
      guards: false,
    }),
    statusReactions: harmless(
      block(() => ({
        enabled: key(bool(), "Whether the reaction changes with what the agent is doing.", { preset: false }),
        emojis: block(() => ({
          thinking: key(text(), "While it thinks.", { preset: "🤔" }),
          tool: key(text(), "While it uses a tool.", { preset: "🔥" }),
          coding: key(text(), "While it works on files or runs commands.", { preset: "👨‍💻" }),
          web: key(text(), "While it is on the web.", { preset: "⚡" }),
          done: key(text(), "When it has answered.", { preset: "👍" }),
          error: key(text(), "When something went wrong.", { preset: "😱" }),
          stallSoft: key(text(), "When nothing has happened for a while.", { preset: "🥱" }),
          stallHard: key(text(), "When nothing has happened for long.", { preset: "😨" }),
        })),
        timing: block(() => ({
          debounceMs: key(count(), "How long something must last to be shown.", { preset: 700 }),
          stallSoftMs: key(count(), "What a while is.", { preset: 10_000 }),
          stallHardMs: key(count(), "What long is.", { preset: 30_000 }),
          doneHoldMs: key(count(), "How long the reaction of an answer stays.", { preset: 1500 }),
          errorHoldMs: key(count(), "How long that of a failure stays.", { preset: 2500 }),
        })),
      })),
    ),
  })),
);

export const bindingsSection = section("Which agent answers in which place.", { reload: "live" }, () =>
  listOf(
    item(() => ({
      agentId: key(text(), "The agent that answers what matches."),
      comment: key(text(), "A note for yourself."),
      match: block(() => ({
        channel: key(text(), "The channel; needed."),
        accountId: key(text(), "The account; without it the default one, * for all."),
        peer: block(() => ({
          kind: key(
            choice("direct", "group", "channel", "dm"),
            "Whether id names a person (direct) or a group; group and channel mean the same here.",
          ),
          id: key(text(), "The chat. A topic is written CHAT:topic:TOPIC, a thread CHAT:thread:THREAD."),
        })),
        guildId: key(text(), "The guild, on Discord."),
        teamId: key(text(), "The team or workspace, on Slack."),
        roles: key(texts(), "The sender has one of these roles."),
      })),
    })),
  ),
);

export const audioSection = section("Speech as an older version of this file had it.", { reload: "live" }, () =>
  block(() => ({
    transcription: block(() => ({
      command: key(texts(), "A program that writes down voice notes: it and its arguments; the older way."),
      timeoutSeconds: key(positive(), "How long it may take."),
    })),
  })),
);

export const mediaSection = section("Files that come with messages: how long they are kept.", { reload: "live" }, () =>
  block(() => ({
    preserveFilenames: key(bool(), "Whether files that come in keep their names beside their ids.", {
      preset: false,
      guards: false,
    }),
    ttlHours: key(
      positive(),
      "How many hours files of messages are kept after somebody last used them. Unless it is written, those that came a week, those that were sent two days.",
      { guards: false },
    ),
  })),
);
