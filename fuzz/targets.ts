// All targets by name. Each is loaded when it is wanted: together they are most of the gateway.
import type { Target } from "./target.ts";

type Load = () => Promise<Target | readonly Target[]>;

const FILES: ReadonlyArray<readonly [names: string, load: Load]> = [
  ["frames", async () => (await import("./targets/frames.ts")).frames],
  ["connection", async () => (await import("./targets/connection.ts")).connection],
  ["methods", async () => (await import("./targets/methods.ts")).methods],
  ["http", async () => (await import("./targets/http.ts")).http],
  ["config-text", async () => (await import("./targets/config-text.ts")).configText],
  ["config-edit", async () => (await import("./targets/config-edit.ts")).configEdit],
  ["config-patch", async () => (await import("./targets/config-patch.ts")).configPatch],
  ["webhook-bodies webhook-signatures", async () => (await import("./targets/webhooks.ts")).webhooks],
  [
    "channel-telegram channel-discord channel-slack channel-whatsapp-cloud channel-signal channel-matrix channel-webhook channel-mattermost channel-sms",
    async () => (await import("./targets/channels.ts")).channels,
  ],
  ["irc-lines mail-headers", async () => (await import("./targets/text-protocols.ts")).textProtocols],
  ["access mention-pattern", async () => (await import("./targets/access.ts")).access],
  ["markdown", async () => (await import("./targets/markdown.ts")).markdown],
  ["dialects", async () => (await import("./targets/dialects.ts")).dialects],
  ["patch", async () => (await import("./targets/patch.ts")).patch],
  ["locate", async () => (await import("./targets/locate.ts")).locate],
  ["exec-grammar", async () => (await import("./targets/exec-grammar.ts")).execGrammar],
  ["fetch-address", async () => (await import("./targets/fetch-address.ts")).fetchAddress],
  ["sandbox-binds sandbox-proxy sandbox-streams", async () => (await import("./targets/sandbox.ts")).sandbox],
  ["transcript session-row", async () => (await import("./targets/transcript.ts")).transcripts],
  ["cron-expression cron-job durations", async () => (await import("./targets/schedules.ts")).schedules],
  [
    "event-streams call-arguments answer-openai-completions answer-openai-responses answer-anthropic-messages answer-google-generative-ai answer-bedrock-converse-stream answer-ollama",
    async () => (await import("./targets/providers.ts")).providers,
  ],
];

export const TARGET_NAMES: readonly string[] = FILES.flatMap(([names]) => names.split(" "));

export async function loadTarget(name: string): Promise<Target> {
  const [, load] = FILES.find(([names]) => names.split(" ").includes(name)) ?? [];
  const target = [(await load?.()) ?? []].flat().find((one) => one.name === name);
  if (!target) throw new Error(`there is no target ${name}; there are ${TARGET_NAMES.join(", ")}`);
  return target;
}
