// `session`: which messages share a conversation, and when it starts anew.
import * as z from "zod";
import { once } from "@chela/sdk";
import {
  block,
  choice,
  harmless,
  item,
  key,
  mapOf,
  positive,
  section,
  text,
  textOrNumber,
  texts,
  wholeNumber,
} from "@chela/sdk/config";
import { scopeRules, typingMode } from "./shared.ts";

const resetModes = once(() => choice("daily", "idle"));
const hours = once(() => wholeNumber(0, 23));

const resetShape = () => ({
  mode: key(resetModes(), "Whether conversations start anew each day or after a pause.", {
    preset: "daily",
  }),
  atHour: key(hours(), "Hour of the daily new start, in local time.", { preset: 4 }),
  idleMinutes: key(positive(), "Pause after which a conversation starts anew.", { preset: 60 }),
});
const resetRule = once(() => block(resetShape));
const olderRule = once(() =>
  block(() => ({
    mode: key(resetModes(), older("mode")),
    atHour: key(hours(), older("atHour")),
    idleMinutes: key(positive(), older("idleMinutes")),
  })),
);
const older = (name: string) => `The older way to write session.resetByType.direct.${name}.`;

export const sessionSection = section(
  "What belongs to one conversation, and when a new one begins.",
  { reload: "live" },
  () =>
    block(() => ({
      scope: key(
        choice("per-sender", "global"),
        "Whether each sender has a conversation of their own, or all share one.",
        { preset: "per-sender" },
      ),
      dmScope: key(
        choice("main", "per-peer", "per-channel-peer", "per-account-channel-peer"),
        "Which direct messages are one conversation: all of an agent's (main), by person, by channel and person, or by account as well. Where nothing is said: owners share the main one, everybody else has one of their own. Guests and strangers share with nobody, whatever is said.",
      ),
      identityLinks: key(
        mapOf(z.array(z.string())),
        "One person's ids on several channels (channel:id), under one name of your choice.",
      ),
      resetTriggers: key(texts(), "Messages that start a new conversation.", {
        preset: ["/new", "/reset"],
        guards: false,
      }),
      idleMinutes: key(positive(), "The older way to write session.reset.idleMinutes.", { guards: false }),
      reset: harmless(resetRule()),
      resetByType: harmless(
        block(() => ({ direct: resetRule(), dm: olderRule(), group: resetRule(), thread: resetRule() })),
        { inherits: true },
      ),
      resetByChannel: harmless(mapOf(item(resetShape)), { inherits: true }),
      store: key(
        text(),
        "Where the session index is kept; {agentId} stands for the agent, and without it all agents share one file. Transcripts stay in agents/<id>/sessions. Taken up by the next start.",
      ),
      typingIntervalSeconds: key(
        positive(),
        "The same as agents.defaults.typingIntervalSeconds, and comes before it.",
        {
          guards: false,
        },
      ),
      typingMode: key(typingMode(), "The same as agents.defaults.typingMode, and comes before it.", { guards: false }),

      mainKey: key(text(), "Last part of the key of the main session.", { preset: "main" }),
      sendPolicy: scopeRules(),
      agentToAgent: harmless(
        block(() => ({
          maxPingPongTurns: key(wholeNumber(0, 5), "How often two agents answer each other after the first reply.", {
            preset: 5,
          }),
        })),
      ),

      maintenance: harmless(
        block(() => ({
          mode: key(
            choice("enforce", "warn"),
            "Whether sessions past their bounds are put away or only reported. What is put away stays in the ledger: `chela sessions restore` brings it back. Main conversations stay. In OpenClaw only reported.",
            { preset: "enforce" },
          ),
          pruneAfter: key(textOrNumber(), "Age at which a session counts as old.", { preset: "30d" }),
          pruneDays: key(positive(), "The older way to write session.maintenance.pruneAfter, in days."),
          maxEntries: key(positive(), "How many sessions the index keeps.", { preset: 500 }),
          rotateBytes: key(
            textOrNumber(),
            "Size at which a transcript file begins anew with what the model still sees; the long one stays beside it.",
            { preset: "10mb" },
          ),
          resetArchiveRetention: key(
            z.union([z.string(), z.number(), z.literal(false)]).optional(),
            "How long transcripts of ended conversations are kept; false for always.",
          ),
          maxDiskBytes: key(textOrNumber(), "Most that session files may take of the disk."),
          highWaterBytes: key(textOrNumber(), "How far they are reduced when they take more."),
        })),
      ),
    })),
);
