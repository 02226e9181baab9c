// `messages`, `audio`, `media`, `talk`, `broadcast`, `bindings`: what happens to a message on its way in and out.
import * as z from "zod";
import { once } from "@chela/sdk";
import { block, bool, choice, count, item, mapOf, openBlock, positive, text, texts } from "./leaf.ts";
import { groupChat, speech, voiceShape } from "./shared.ts";

const queueMode = once(() =>
  choice("steer", "followup", "collect", "steer-backlog", "steer+backlog", "queue", "interrupt"),
);
const countByChannel = once(() => mapOf(count().unwrap()));

export const messagesSection = once(() =>
  block(() => ({
    messagePrefix: text(),
    responsePrefix: text(),
    groupChat: groupChat(),
    queue: block(() => ({
      mode: queueMode(),
      byChannel: mapOf(queueMode().unwrap()),
      debounceMs: count(),
      debounceMsByChannel: countByChannel(),
      cap: positive(),
      drop: choice("old", "new", "summarize"),
    })),
    inbound: block(() => ({ debounceMs: count(), byChannel: countByChannel() })),
    ackReaction: text(),
    ackReactionScope: choice("group-mentions", "group-all", "direct", "all", "off", "none"),
    removeAckAfterReply: bool(),
    statusReactions: block(() => ({
      enabled: bool(),
      emojis: block(() => ({
        thinking: text(),
        tool: text(),
        coding: text(),
        web: text(),
        done: text(),
        error: text(),
        stallSoft: text(),
        stallHard: text(),
      })),
      timing: block(() => ({
        debounceMs: count(),
        stallSoftMs: count(),
        stallHardMs: count(),
        doneHoldMs: count(),
        errorHoldMs: count(),
      })),
    })),
    suppressToolErrors: bool(),
    tts: speech(),
  })),
);

export const bindingsSection = once(() =>
  z
    .array(
      item(() => ({
        agentId: text(),
        comment: text(),
        match: block(() => ({
          channel: text(),
          accountId: text(),
          peer: block(() => ({ kind: choice("direct", "group", "channel", "dm"), id: text() })),
          guildId: text(),
          teamId: text(),
          roles: texts(),
        })),
      })),
    )
    .optional(),
);

export const broadcastSection = once(() =>
  openBlock(() => ({ strategy: choice("parallel", "sequential") }), z.array(z.string())),
);

export const audioSection = once(() =>
  block(() => ({ transcription: block(() => ({ command: texts(), timeoutSeconds: positive() })) })),
);

export const mediaSection = once(() => block(() => ({ preserveFilenames: bool(), ttlHours: positive() })));

export const talkSection = once(() =>
  block(() => ({
    provider: text(),
    providers: mapOf(z.lazy(() => z.object(voiceShape()).catchall(z.unknown()))),
    ...voiceShape(),
    interruptOnSpeech: bool(),
  })),
);
