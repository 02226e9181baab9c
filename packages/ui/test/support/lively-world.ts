// A gateway in the middle of its life: conversations, agents, channels, people who wait, and weeks of spending.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";
import { startWebhookPeer } from "../../../gateway/test/support/chaos/chaos-webhook.ts";
import { createTestDevice, WireClient } from "../../../gateway/test/support/wire-client.ts";
import { Stage, TOKEN } from "./stage.ts";

export const LIVELY_CHAT = "agent:main:backup";
const DAY_MS = 86_400_000;
const PATIENCE_MS = 15_000;
/** As a browser from elsewhere, which has to be let in. */
const AWAY = { origin: "https://claw.example", host: "claw.example", "x-forwarded-for": "203.0.113.9" };

export interface LivelyWorld extends AsyncDisposable {
  readonly stage: Stage;
}

export async function openLivelyWorld(): Promise<LivelyWorld> {
  await using opened = new AsyncDisposableStack();
  const peer = opened.use(await startWebhookPeer());
  const stage = opened.use(
    await Stage.open({
      gateway: { auth: { mode: "token", token: TOKEN }, controlUi: { allowedOrigins: ["https://claw.example"] } },
      agents: {
        defaults: { model: "scripted/test" },
        list: [
          { id: "main", default: true, identity: { name: "Chela", emoji: "🦀", theme: "calm and exact" } },
          { id: "scout", identity: { name: "Scout", emoji: "🔭", theme: "curious" } },
        ],
      },
      channels: {
        webhook: { ...peer.settings, name: "Front door", dmPolicy: "pairing" },
        // Nobody listens there.
        irc: { host: "127.0.0.1", port: 9, tls: false, nick: "chela", channels: ["#home"] },
      },
      budgets: [
        { usd: 25, period: "month" },
        { scope: "agent", name: "scout", usd: 2, period: "day" },
      ],
    }),
  );
  await converse(stage, await stage.client());
  // Nobody writes into a ledger that is in use.
  await stage.kill();
  spend(stage.household.stateDir);
  await stage.start();
  await planJobs(await stage.client());
  await letWait(stage, await stage.client(), peer.say);
  const kept = opened.move();
  return { stage, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

const SCRIPT = `#!/bin/sh
set -e
for dir in photos music documents; do
  tar czf /backup/$dir.tar.gz /home/ada/$dir
done
`;

const ANSWER = `Every night the script packs **all** of \`photos\` again, although almost nothing in there changes. I replaced it with \`rsync\`, which copies only what is new:

\`\`\`sh
for dir in photos music documents; do
  rsync -a --delete /home/ada/$dir/ /backup/$dir/
done
\`\`\`

| | before | after |
| --- | --- | --- |
| First night | 41 min | 38 min |
| Every other night | 41 min | **about 20 s** |

The first run tonight still takes long, as it has to copy everything once.`;

async function converse({ model, household }: Stage, client: WireClient): Promise<void> {
  const workspace = join(household.stateDir, "workspace");
  mkdirSync(workspace, { recursive: true });
  const path = "backup.sh";
  writeFileSync(join(workspace, path), SCRIPT);
  const [oldText, newText] = [
    "  tar czf /backup/$dir.tar.gz /home/ada/$dir",
    "  rsync -a --delete /home/ada/$dir/ /backup/$dir/",
  ];
  model.script.push(
    (speech) => {
      speech.think("The script first. Packing everything anew each night would explain it.");
      speech.call("read", { path });
    },
    (speech) => speech.call("edit", { path, oldText, newText }),
    ANSWER,
    "Done: I look at the log tomorrow at seven and tell you how long it took.",
  );
  await client.chat("The nightly backup takes 40 minutes. Can you find out why?", { sessionKey: LIVELY_CHAT });
  await client.chat("Lovely. Remind me tomorrow to check it.", { sessionKey: LIVELY_CHAT });
  await client.call("sessions.patch", { key: LIVELY_CHAT, label: "Faster backups" });
  const others = [
    [
      "agent:main:garden",
      "Plan for the garden",
      "When can I plant tomatoes outside?",
      "After the last frost, so around the **middle of May** where you live.",
    ],
    [
      "agent:scout:trains",
      "Night trains",
      "Which night trains go to Lisbon?",
      "None directly at the moment. The best way is by Paris and Hendaye.",
    ],
    [
      "agent:scout:papers",
      "Papers on sleep",
      "Three good papers about sleep and memory?",
      "1. Walker 2017\n2. Rasch and Born 2013\n3. Diekelmann 2010",
    ],
    ["agent:main:main", undefined, "Good morning", "Good morning! Two things wait for you today."],
  ] as const;
  for (const [sessionKey, label, question, answer] of others) {
    model.script.push(answer);
    await client.chat(question, { sessionKey });
    if (label) await client.call("sessions.patch", { key: sessionKey, label });
  }
  model.script.length = 0;
}

/** Some that went well, one that did not, and one that waits for its time. */
async function planJobs(client: WireClient): Promise<void> {
  const add = async (job: object): Promise<string> => (await client.call("cron.add", job)).id as string;
  const ran = [
    await add({
      name: "Nightly backup",
      schedule: { kind: "cron", expr: "0 3 * * *", tz: "Europe/Stockholm" },
      payload: { kind: "exec", command: "echo 12 new files, 4.2 GB in total" },
      delivery: { mode: "announce", channel: "last" },
    }),
    await add({
      name: "Is my website there?",
      schedule: { kind: "every", everyMs: 900_000 },
      payload: { kind: "exec", command: "echo 'Could not resolve host: example.invalid' >&2; exit 6" },
    }),
  ];
  await add({
    name: "Weather",
    schedule: { kind: "cron", expr: "30 7 * * 1-5" },
    payload: { kind: "agentTurn", message: "What will the weather be like here today?" },
  });
  await add({
    name: "Pay the rent",
    enabled: false,
    schedule: { kind: "cron", expr: "0 9 1 * *" },
    payload: { kind: "systemEvent", text: "The rent is due." },
  });
  for (const id of ran) await client.call("cron.run", { id });
  const isOver = async (id: string): Promise<boolean> => {
    const { state } = await client.call("cron.get", { id });
    return state.lastRunAtMs !== undefined && state.runningAtMs === undefined;
  };
  await vi.waitUntil(async () => (await Promise.all(ran.map(isOver))).every(Boolean), { timeout: PATIENCE_MS });
}

/** A person, a browser and a command. */
async function letWait(
  { port }: Stage,
  client: WireClient,
  say: (port: number, message: object) => Promise<void>,
): Promise<void> {
  await say(port, { id: "hello", from: { id: "grace", name: "Grace Hopper" }, text: "May I come in?" });
  const about = { id: "openclaw-control-ui", mode: "ui", platform: "web", displayName: "Firefox on a tablet" };
  const url = `ws://127.0.0.1:${port}`;
  await using stranger = new WireClient({
    url,
    token: TOKEN,
    headers: AWAY,
    device: createTestDevice(),
    client: about,
  });
  await stranger.tryConnect();
  await client.call("exec.approval.request", {
    command: "rsync -a --delete /home/ada/photos/ /backup/photos/",
    cwd: "/home/ada",
    host: "gateway",
    agentId: "main",
    sessionKey: "agent:main:main",
    twoPhase: true,
    timeoutMs: 600_000,
  });
}

/** What the last weeks cost, as the gateway would have noted it then. */
function spend(stateDir: string): void {
  using ledger = new DatabaseSync(join(stateDir, "ledger.sqlite"));
  const note = ledger.prepare(
    `INSERT INTO usage (id, at, agent_id, session_key, run_id, provider, model, input, output, cache_read, cache_write,
       input_cost, output_cost, cache_read_cost, cache_write_cost, channel, person, job)
     VALUES (? * 1024, ?, ?, ?, ?, 'scripted', 'test', ?, ?, ?, ?, ?, ?, ?, ?, ?, '', '')`,
  );
  const sessions = [LIVELY_CHAT, "agent:main:garden", "agent:scout:trains", "agent:scout:papers"];
  for (let day = 1; day < 27; day++) {
    for (const [at, key] of sessions.entries()) {
      // Busy and quiet days, the same in each run.
      const weight = 1 + ((day * 7 + at * 5) % 11) + (day % 7 < 2 ? 0 : 4);
      if ((day + at) % 5 === 0) continue;
      const [input, output, read, write] = [weight * 2400, weight * 700, weight * 9000, weight * 1200];
      const [, agent = "main"] = key.split(":");
      const when = Date.now() - day * DAY_MS;
      const costs = [input * 3e-6, output * 15e-6, read * 0.3e-6, write * 3.75e-6];
      note.run(
        when + at,
        when + at,
        agent,
        key,
        `past-${day}-${at}`,
        input,
        output,
        read,
        write,
        ...costs,
        at === 2 ? "webhook" : "webchat",
      );
    }
  }
}
