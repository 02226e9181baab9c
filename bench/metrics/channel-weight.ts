// Weight of configured channels: time until the gateway is ready, memory while nothing happens, files of code.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { atMost, type Figure } from "../figure.ts";
import { addSettings, findFreePort, type State } from "../gateway-process.ts";
import { processTree, residentMib } from "../process-figures.ts";
import { newState, withGateway, type TurnRunner } from "../workbench.ts";

const REST_MS = 4_000;
/** Words that only the code of one channel has. */
const SIGNS: Readonly<Record<string, string>> = {
  telegram: "api.telegram.org",
  irc: "PRIVMSG",
  discord: "discord.com/api",
  slack: "slack.com/api",
  "whatsapp-cloud": "graph.facebook.com",
  signal: "/api/v1/rpc",
  email: "STARTTLS",
  webhook: "x-chela-signature",
};

export async function measureChannelWeight(bench: TurnRunner): Promise<Figure[]> {
  const channels = await settingsOfAll();
  return [
    ...(await measureStart(bench, channels)),
    ...(await measureResident(bench, channels)),
    ...(await measureFiles(bench, channels)),
  ];
}

/** Every built-in channel, with a server that is not there. */
async function settingsOfAll(): Promise<Record<string, object>> {
  const port = await findFreePort();
  const apiRoot = `http://127.0.0.1:${port}`;
  return {
    telegram: { botToken: "1:bench", apiRoot },
    irc: { host: "127.0.0.1", port, tls: false, nick: "bench" },
    discord: { token: `${Buffer.from("700700700").toString("base64")}.bench.bench-bench-bench`, apiRoot },
    slack: { botToken: "xoxb-bench", appToken: "xapp-bench", apiRoot },
    "whatsapp-cloud": {
      accessToken: "bench-token",
      phoneNumberId: "1",
      appSecret: "bench-secret",
      verifyToken: "bench-verify",
      apiRoot,
    },
    signal: { account: "+15550100", httpUrl: apiRoot, autoStart: false },
    email: {
      address: "bench@test.invalid",
      imap: { host: "127.0.0.1", port, tls: false, password: "bench" },
      smtp: { host: "127.0.0.1", port, tls: false },
    },
    webhook: { secret: "the secret of the bench", outboundUrl: apiRoot },
  };
}

async function stateWith(bench: TurnRunner, channels: object): Promise<State> {
  const state = await newState(bench);
  addSettings(state, { channels });
  return state;
}

async function measureStart(bench: TurnRunner, channels: object): Promise<Figure[]> {
  const state = await stateWith(bench, channels);
  const samples: number[] = [];
  for (let round = 0; round <= bench.amount.startRounds; round++) {
    const readyMs = await withGateway(bench, async (gateway) => gateway.readyMs, { state });
    if (round > 0) samples.push(readyMs);
  }
  const metric = `start with ${Object.keys(channels).length} channels`;
  return [{ metric, unit: "ms", samples, limits: [atMost(1500)], note: "none of their servers is there" }];
}

async function measureResident(bench: TurnRunner, channels: Record<string, object>): Promise<Figure[]> {
  const rest = async (configured: object): Promise<number> => {
    const state = await stateWith(bench, configured);
    return withGateway(bench, async ({ pid }) => (await sleep(REST_MS), residentMib(pid)), { state });
  };
  const none = await rest({});
  const figures: Figure[] = [{ metric: "RSS, idle without channels", unit: "MiB", samples: [none] }];
  for (const [id, settings] of Object.entries(channels)) {
    const more = (await rest({ [id]: settings })) - none;
    figures.push({ metric: `RSS, added by ${id}`, unit: "MiB", samples: [more] });
  }
  const all = await rest(channels);
  return [...figures, { metric: "RSS, added by all of them", unit: "MiB", samples: [all - none] }];
}

/** After a turn, so that what every gateway needs is there in both cases. */
async function measureFiles(bench: TurnRunner, channels: Record<string, object>): Promise<Figure[]> {
  const probe = join(import.meta.dirname, "..", "loaded-files-probe.cjs");
  const load = async (name: string, configured: object): Promise<Set<string>> => {
    const file = join(bench.root, `loaded-${name}`);
    const env = { NODE_OPTIONS: `--require ${JSON.stringify(probe)}`, BENCH_LOADED_FILE: file };
    return withGateway(
      bench,
      async ({ client, pid }) => {
        await client.turn("agent:main:files", "Hello");
        await sleep(REST_MS / 4);
        return readLoaded(processTree(pid).map((one) => `${file}.${one}`));
      },
      { state: await stateWith(bench, configured), env },
    );
  };
  const without = await load("none", {});
  const withAll = await load("all", channels);
  const blind = Object.keys(channels).filter((id) => filesWith(withAll, SIGNS[id] ?? id).length === 0);
  if (blind.length > 0) throw new Error(`nothing shows whether the code of ${blind.join(", ")} is loaded`);
  const found = Object.values(SIGNS).flatMap((sign) => filesWith(without, sign));
  const more = [...withAll].filter((path) => !without.has(path));
  return [
    { metric: "files of channels, none configured", unit: "", samples: [new Set(found).size], limits: [atMost(0)] },
    { metric: "files of channels, all configured", unit: "", samples: [more.length] },
    { metric: "their size", unit: "KiB", samples: [sizeOf(more) / 1024] },
  ];
}

function readLoaded(lists: readonly string[]): Set<string> {
  const urls = lists.filter((path) => existsSync(path)).flatMap((path) => readFileSync(path, "utf8").split("\n"));
  return new Set(urls.filter((url) => url.startsWith("file:")).map((url) => fileURLToPath(url)));
}

function filesWith(paths: ReadonlySet<string>, sign: string): string[] {
  return [...paths].filter((path) => readFileSync(path, "utf8").includes(sign));
}

function sizeOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + readFileSync(path).length, 0);
}
