// A gateway in which strangers filled every field that a page shows with what they would like to run.
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startWebhookPeer } from "../../../gateway/test/support/chaos/chaos-webhook.ts";
import { createTestDevice, WireClient, type Json } from "../../../gateway/test/support/wire-client.ts";
import { packedPayloads, PAYLOADS, shortPayloads } from "./payloads.ts";
import { Stage, TOKEN } from "./stage.ts";

/** All of it as one text. */
const ALL = PAYLOADS.join("\n\n");
const LABEL_LIMIT = 64;
const NAME_LIMIT = 200;
const NOTE_LIMIT = 2000;
/** As a browser from elsewhere, which has to be let in. */
const AWAY = { origin: "https://claw.example", host: "claw.example", "x-forwarded-for": "203.0.113.9" };
export const HOSTILE_CHAT = "agent:main:hostile";
export const HOSTILE_JOB = "<img src=x onerror=__ran(1)> job";
export const FAILED_CHAT = "agent:main:failed";

export interface HostileWorld extends AsyncDisposable {
  readonly stage: Stage;
}

export async function openHostileWorld(): Promise<HostileWorld> {
  await using opened = new AsyncDisposableStack();
  const peer = opened.use(await startWebhookPeer());
  const stage = opened.use(
    await Stage.open({
      ...hostileAgents(),
      gateway: { auth: { mode: "token", token: TOKEN }, controlUi: { allowedOrigins: ["https://claw.example"] } },
      channels: {
        webhook: {
          ...peer.settings,
          name: packedPayloads(NAME_LIMIT)[0],
          dmPolicy: "pairing",
          groupPolicy: "open",
          groups: { "*": { requireMention: false } },
        },
      },
      env: { vars: { HOSTILE: ALL } },
    }),
  );
  const client = await stage.client({ client: { displayName: packedPayloads(NAME_LIMIT)[0] } });
  await renameModels(client);
  await talk(stage, client);
  await fillSessions(client);
  await writeFromElsewhere(stage, client, peer.say);
  await askForApproval(client);
  await writePeopleDown(client);
  await planJobs(client);
  writeLog(stage.household.stateDir);
  const kept = opened.move();
  return { stage, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function hostileAgents(): Json {
  const others = shortPayloads(NAME_LIMIT).map((payload, at) => ({
    id: `hostile-${at}`,
    name: payload,
    identity: { name: payload, theme: payload, emoji: payload.slice(0, LABEL_LIMIT), avatar: payload },
  }));
  return {
    agents: {
      defaults: { model: "scripted/test" },
      list: [{ id: "main", default: true, identity: { name: ALL.slice(0, NAME_LIMIT), theme: ALL } }, ...others],
    },
  };
}

async function renameModels(client: WireClient): Promise<void> {
  const { hash, config } = await client.call("config.get");
  const [model] = config.models.providers.scripted.models as Json[];
  const models = [model, ...shortPayloads(NAME_LIMIT).map((name, at) => ({ ...model, id: `hostile-${at}`, name }))];
  const patch = { models: { providers: { scripted: { models } } } };
  await client.call("config.patch", { baseHash: hash, raw: JSON.stringify(patch) });
}

/** One conversation with everything in it: words, thoughts, tools, files, commands, and an error. */
async function talk({ model, household }: Stage, client: WireClient): Promise<void> {
  const file = join(household.stateDir, "hostile.html");
  writeFileSync(file, ALL);
  const proto = JSON.parse(`{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}`) as object;
  model.script.push((speech) => {
    speech.think(ALL);
    speech.say(ALL);
    speech.call("read", { path: file });
    speech.call("write", { path: join(household.stateDir, "<img src=x onerror=__ran(1)>.md"), content: ALL });
    speech.call("web_fetch", { url: "javascript:__ran(1)" });
    speech.call("<img src=x onerror=__ran(1)>", { ...proto, "<svg onload=__ran(1)>": ALL, long: ALL });
    speech.call("__proto__", proto);
  }, ALL);
  const content = Buffer.from(ALL).toString("base64");
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>__ran(1)</script></svg>').toString("base64");
  const files = ["text/plain", "text/html", "application/octet-stream"].map((mimeType, at) => ({
    mimeType,
    fileName: `${packedPayloads(NAME_LIMIT)[at]}.${mimeType.slice(-4)}`,
    content,
  }));
  const picture = { mimeType: "image/svg+xml", fileName: '"><img src=x onerror=__ran(1)>.svg', content: svg };
  await client.chat(ALL, { sessionKey: HOSTILE_CHAT, attachments: [...files, picture] });
  for (const command of ["model", "think", "no-such-command", "status"]) {
    await client.chat(`/${command} <img src=x onerror=__ran(1)> [x](javascript:__ran(1))`, {
      sessionKey: HOSTILE_CHAT,
    });
  }
  model.script.push((speech) => speech.fail(ALL));
  await client.chat("Fail", { sessionKey: FAILED_CHAT });
  model.script.length = 0;
}

async function fillSessions(client: WireClient): Promise<void> {
  const labels = shortPayloads(LABEL_LIMIT);
  const named = await Promise.all(
    labels.map(async (label, at) => {
      const key = `agent:main:hostile-${at}`;
      if (!(await client.request("sessions.patch", { key, label })).ok) return false;
      await client.call("chat.inject", { sessionKey: key, message: label, label });
      return true;
    }),
  );
  // A few are refused, as two have the same beginning.
  if (named.filter(Boolean).length < labels.length / 2) throw new Error("labels were refused");
  await client.call("sessions.delete", { key: "agent:main:hostile-0" });
  for (const name of labels.slice(1, 6)) await client.call("sessions.checkpoint", { key: HOSTILE_CHAT, name });
}

/** People in groups, people who wait to be let in, messages to them, and browsers that wait. */
async function writeFromElsewhere(
  { port }: Stage,
  client: WireClient,
  say: (port: number, message: object) => Promise<void>,
): Promise<void> {
  for (const [at, name] of packedPayloads(NAME_LIMIT).entries()) {
    const from = { id: at === 0 ? "<svg onload=__ran(1)>" : `stranger-${at}`, name };
    await say(port, { id: `direct-${at}`, from, text: ALL });
    if (at < 3) await say(port, { id: `group-${at}`, from, chat: { id: name, kind: "group", title: name }, text: ALL });
  }
  await client.request("send", {
    channel: "webhook",
    to: "user:<svg onload=__ran(1)>",
    message: ALL,
    idempotencyKey: "s1",
  });
  for (const displayName of packedPayloads(NAME_LIMIT).slice(0, 3)) {
    const about = {
      id: "openclaw-control-ui",
      mode: "ui",
      platform: displayName,
      deviceFamily: displayName,
      displayName,
    };
    const url = `ws://127.0.0.1:${port}`;
    const device = createTestDevice();
    await using stranger = new WireClient({ url, token: TOKEN, headers: AWAY, device, client: about });
    await stranger.tryConnect();
  }
}

async function askForApproval(client: WireClient): Promise<void> {
  const field = "<img src=x onerror=__ran(1)>";
  const about = { cwd: field, host: "gateway", agentId: "main", resolvedPath: field, sessionKey: HOSTILE_CHAT };
  await client.call("exec.approval.request", { command: ALL, ...about, env: { [field]: ALL }, twoPhase: true });
  const { file, hash } = await client.call("exec.approvals.get");
  const allowlist = shortPayloads(NAME_LIMIT).map((pattern) => ({ pattern, lastUsedCommand: pattern }));
  const agents = { main: { allowlist }, "hostile-1": { allowlist } };
  await client.call("exec.approvals.set", { file: { ...file, agents }, baseHash: hash });
}

/** People and devices, as strangers would name themselves. */
async function writePeopleDown(client: WireClient): Promise<void> {
  for (const [at, name] of packedPayloads(NAME_LIMIT).entries()) {
    const ids = [{ channel: name.slice(0, LABEL_LIMIT), account: name.slice(0, LABEL_LIMIT), id: name }];
    const person = { id: `hostile-${at}`, name, role: "guest", ids, note: ALL.slice(0, NOTE_LIMIT) };
    await client.call("people.put", { person });
    const about = { displayName: name, platform: name, deviceFamily: name, remoteIp: name };
    await client.call("node.pair.request", { nodeId: `hostile-${at}`, ...about, commands: ["door.open"] });
  }
}

/** Each named after a payload, and one that failed with all of them. */
async function planJobs(client: WireClient): Promise<void> {
  const schedule = { kind: "every", everyMs: 86_400_000 };
  const payload = { kind: "agentTurn", message: ALL };
  for (const name of packedPayloads(NAME_LIMIT)) {
    await client.call("cron.add", { name, description: ALL, schedule, payload, enabled: false });
  }
  const command = ["printf", "%s", ALL];
  const delivery = { mode: "announce", channel: "nowhere", to: "<img src=x onerror=__ran(1)>" };
  const { id } = await client.call("cron.add", {
    name: HOSTILE_JOB,
    schedule,
    payload: { kind: "exec", command },
    delivery,
  });
  await client.call("cron.run", { id });
}

function writeLog(stateDir: string): void {
  const logs = join(stateDir, "logs");
  const file = readdirSync(logs).find((name) => name.endsWith(".log")) ?? "";
  const lines = PAYLOADS.flatMap((payload) => {
    const time = new Date().toISOString();
    return [JSON.stringify({ time, level: "error", subsystem: payload, msg: payload, [payload]: payload }), payload];
  });
  appendFileSync(join(logs, file), lines.map((line) => `${line.replaceAll("\n", " ")}\n`).join(""));
}
