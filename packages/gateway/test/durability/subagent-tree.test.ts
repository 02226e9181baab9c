// Trees of sub-agents while the process is killed again and again: every result arrives at its parent once, or is reported.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startWebhookPeer } from "../support/chaos/chaos-webhook.ts";
import { findLedgerFaults } from "../support/durability/durability-evidence.ts";
import { startAfterFalseStarts } from "../support/durability/durability-questions.ts";
import { createRandom, type Random } from "../support/durability/durability-random.ts";
import {
  baseConfig,
  createWorkshop,
  eventually,
  type GatewayProcess,
} from "../support/durability/durability-workshop.ts";
import {
  countUnsettled,
  findDisagreements,
  readArrivals,
  readNodes,
  type NodeRow,
} from "../support/stages/subagent-tree-evidence.ts";
import {
  childrenOf,
  depthOf,
  leavesIn,
  nodesBelow,
  plantText,
  reportOf,
  startTreeModel,
  type Style,
  type TreeModel,
} from "../support/stages/subagent-tree-model.ts";
import type { Json, WireClient } from "../support/wire-client.ts";

const KILLS = 16;
/** Of the model, in one life. All lives together must end before the tree does, which needs some hundreds. */
const MOST_REQUESTS = 16;
const STYLES: readonly Style[] = ["waits", "is told", "waits later"];

let baseUrl = "";
const workshop = createWorkshop(() => baseUrl);
afterAll(() => workshop.clean());

function configWith(channel: Json, limits: Json): Json {
  const { agents } = baseConfig(baseUrl) as { agents: { defaults: object } };
  const subagents = { maxConcurrent: 32, ...limits };
  return {
    agents: { defaults: { ...agents.defaults, maxConcurrent: 64, subagents } },
    session: { dmScope: "per-account-channel-peer" },
    channels: { webhook: { dmPolicy: "open", allowFrom: ["*"], ...channel } },
  };
}

/** The same style for the same node, whenever it is asked. */
function chooseStyles(random: Random): (label: string) => Style {
  const chosen = new Map<string, Style>();
  return (label) => {
    const style = chosen.get(label) ?? (label.endsWith("-root") ? "is told" : random.pick(STYLES));
    chosen.set(label, style);
    return style;
  };
}

/** After some requests of the model, and at once or a moment later; by the clock when nothing happens. */
function chooseInstant(random: Random, model: TreeModel): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let left = random.below(MOST_REQUESTS);
  const leave = model.onRequest(() => left-- <= 0 && resolve());
  const delay = random.chance(0.5) ? 0 : random.below(40);
  return Promise.race([promise.then(() => pause(delay)), pause(1500)]).finally(leave);
}

test("a tree of 155 sub-agents folds into one answer with all its leaves, though the process is killed again and again", async () => {
  const random = createRandom();
  const plan = { width: 5, depth: 3, styleOf: chooseStyles(random) };
  await using model = await startTreeModel(plan);
  baseUrl = model.baseUrl;
  await using peer = await startWebhookPeer();
  const state = await workshop.createState({
    config: configWith(peer.settings, { maxSpawnDepth: 3, maxChildrenPerAgent: 5 }),
  });
  const labels = nodesBelow("oak-root", plan);
  const leaves = labels.filter((label) => depthOf(label) === plan.depth).toSorted();
  const answer = reportOf("oak-root", leaves);

  let gateway = workshop.start(state);
  await peer.say(state.port, { id: "plant", from: { id: "gardener" }, text: plantText("oak") });
  for (let kills = 0; kills < KILLS; kills++) {
    await chooseInstant(random, model);
    await gateway.kill();
    gateway = await startAfterFalseStarts(random, () => workshop.start(state));
  }
  expect(peer.received.map(({ text }) => text)).not.toContain(answer);
  await untilFolded(gateway, state.ledgerPath, labels.length);
  await eventually("the answer arrives", () => peer.received.some(({ text }) => text === answer));
  expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });

  const nodes = readNodes(state.ledgerPath);
  expect(nodes.map(({ label }) => label).toSorted()).toEqual(labels.toSorted());
  expect(nodes.filter(({ status, delivered }) => status !== "ok" || delivered !== "delivered")).toEqual([]);
  expect(leaves).toHaveLength(125);
  const byLabel = new Map(nodes.map((node) => [node.label, node]));
  const arrived = readArrivals(state.path).map(({ label, sessionKey }) => `${label} in ${sessionKey}`);
  expect(arrived.toSorted()).toEqual(labels.map((label) => `${label} in ${byLabel.get(label)?.parentKey}`).toSorted());
  expect(new Set(peer.received.filter(({ text }) => text === answer).map(({ key }) => key)).size).toBe(1);
  expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
  expect(findDisagreements(state.path, nodes)).toEqual([]);
  expect(model.faults).toEqual([]);
}, 180_000);

/** Nothing is under way any more, and all that should ever be there is. */
async function untilFolded(gateway: GatewayProcess, ledgerPath: string, count: number): Promise<void> {
  const client = await gateway.connect();
  const end = Date.now() + 100_000;
  while (Date.now() < end) {
    const isFolded = readNodes(ledgerPath).length >= count && countUnsettled(ledgerPath) === 0;
    // Answered when the start is over, and with it the look at what an earlier process left.
    if (isFolded) return void (await client.call("subagents.list", { sessionKey: "main" }));
    await pause(100);
  }
  const open = readNodes(ledgerPath).filter(({ state }) => state !== "settled");
  throw new Error(`not folded: ${JSON.stringify(open.map(({ label, state }) => [label, state]))}\n${gateway.output}`);
}

const TREES = ["oak", "elm", "ash"] as const;
const SOME_KILLS = 8;

test("where some are killed and a conversation is begun anew, the others' results arrive, and nothing comes to a wrong place", async () => {
  const random = createRandom();
  const shape = { width: 3, depth: 3 };
  const victims = new Map(
    TREES.flatMap((tree) => [`${tree}-root`, ...nodesBelow(`${tree}-root`, shape)])
      .filter((label) => childrenOf(label, shape).length > 0 && random.chance(0.15))
      .map((label) => [label, [random.pick(childrenOf(label, shape))]]),
  );
  const plan = { ...shape, styleOf: chooseStyles(random), kills: (label: string) => victims.get(label) ?? [] };
  await using model = await startTreeModel(plan);
  baseUrl = model.baseUrl;
  await using peer = await startWebhookPeer();
  const state = await workshop.createState({
    config: configWith(peer.settings, { maxSpawnDepth: 3, maxChildrenPerAgent: 3 }),
  });
  const readAll = (): NodeRow[] => readNodes(state.ledgerPath);
  const killed = new Set<string>();
  const anew = new Set<string>();

  let gateway = workshop.start(state);
  await Promise.all(
    TREES.map((tree) => peer.say(state.port, { id: `plant-${tree}`, from: { id: tree }, text: plantText(tree) })),
  );
  for (let kills = 0; kills < SOME_KILLS; kills++) {
    await chooseInstant(random, model);
    const client = await gateway.connect();
    if (kills % 2 === 0) await killOne(client, random, readAll(), killed);
    if (kills === 2) await beginAnew(client, rootKeyOf(readAll(), "elm"), anew);
    if (kills === 5) await beginAnew(client, readAll().find(isAtWork)?.parentKey, anew);
    await gateway.kill();
    gateway = workshop.start(state);
  }
  await untilFolded(gateway, state.ledgerPath, 0);
  expect(await gateway.kill("SIGTERM")).toEqual({ code: 0, signal: null });

  const nodes = readAll();
  const byKey = new Map(nodes.map((node) => [node.sessionKey, node]));
  expect(nodes.map(({ label }) => label)).toEqual([...new Set(nodes.map(({ label }) => label))]);
  const wasLeftAlone = (node: NodeRow): boolean => {
    const parent = byKey.get(node.parentKey);
    return !anew.has(node.parentKey) && (parent === undefined || parent.status === "ok");
  };
  const arrivals = readArrivals(state.path);
  const faults = nodes.flatMap((node): string[] => {
    const { label, parentKey, status, delivered } = node;
    const arrived = arrivals.filter((one) => one.label === label && one.outcome !== "killed");
    const elsewhere = arrivals.filter((one) => one.label === label && one.sessionKey !== parentKey);
    return [
      ...elsewhere.map(({ sessionKey }) => `${label} arrived in ${sessionKey}`),
      ...(arrived.length > 1 ? [`${label} arrived ${arrived.length} times`] : []),
      ...(status === "ok" && wasLeftAlone(node) && (arrived.length !== 1 || delivered !== "delivered")
        ? [`${label} is done, and was told ${arrived.length} times, ${delivered}`]
        : []),
      ...(status === "ok" || isExplained(node, byKey, { killed, anew, victims }) ? [] : [`${label} is ${status}`]),
    ];
  });
  expect(faults).toEqual([]);
  expect(nodes.filter(({ runId, status }) => killed.has(runId) && status !== "killed")).toEqual([]);
  for (const tree of TREES) {
    const heard = peer.received.filter(({ to }) => to === `user:${tree}`);
    expect(heard.filter(({ text }) => !text.startsWith(`${tree}-root has`) && text !== "It grows.")).toEqual([]);
    const texts = new Map(heard.map(({ key, text }) => [key, text]));
    expect(new Set(texts.values()).size).toBe(texts.size);
    if (anew.has(rootKeyOf(nodes, tree) ?? "")) continue;
    const most = [...texts.values()].map(leavesIn).reduce((all, some) => (some.length > all.length ? some : all), []);
    expect(most).toEqual(soundLeaves(nodes, byKey, tree, shape.depth));
  }
  expect(findLedgerFaults(state.ledgerPath)).toEqual([]);
  expect(findDisagreements(state.path, nodes)).toEqual([]);
  expect(model.faults).toEqual([]);
}, 180_000);

const isAtWork = ({ state }: NodeRow): boolean => state === "waiting" || state === "running";

function rootKeyOf(nodes: readonly NodeRow[], tree: string): string | undefined {
  return nodes.find(({ label }) => label.startsWith(`${tree}-`) && depthOf(label) === 1)?.parentKey;
}

/** What was killed is written when the answer comes. */
async function killOne(client: WireClient, random: Random, nodes: readonly NodeRow[], killed: Set<string>) {
  const running = nodes.filter(isAtWork);
  if (running.length === 0) return;
  const { parentKey, runId } = random.pick(running);
  const response = await client.request("subagents.kill", { sessionKey: parentKey, target: runId });
  if (response.ok) killed.add(runId);
}

/** Nobody works for a conversation any more that was begun anew. */
async function beginAnew(client: WireClient, key: string | undefined, anew: Set<string>): Promise<void> {
  if (key === undefined) return;
  await client.call("sessions.reset", { key });
  anew.add(key);
}

/** Somebody wanted its end, or the end of one above it. */
function isExplained(
  node: NodeRow,
  byKey: ReadonlyMap<string, NodeRow>,
  by: {
    readonly killed: ReadonlySet<string>;
    readonly anew: ReadonlySet<string>;
    readonly victims: ReadonlyMap<string, readonly string[]>;
  },
): boolean {
  if (node.status !== "killed") return false;
  const isVictim = [...by.victims.values()].some((children) => children.includes(node.label));
  if (by.killed.has(node.runId) || by.anew.has(node.sessionKey) || by.anew.has(node.parentKey) || isVictim) return true;
  const parent = byKey.get(node.parentKey);
  return parent !== undefined && isExplained(parent, byKey, by);
}

/** Leaves that are done, as are all above them. */
function soundLeaves(
  nodes: readonly NodeRow[],
  byKey: ReadonlyMap<string, NodeRow>,
  tree: string,
  depth: number,
): string[] {
  const isSound = (node: NodeRow | undefined): boolean =>
    node === undefined || (node.status === "ok" && isSound(byKey.get(node.parentKey)));
  const leaves = nodes.filter(({ label }) => label.startsWith(`${tree}-`) && depthOf(label) === depth);
  return leaves
    .filter(isSound)
    .map(({ label }) => label)
    .toSorted();
}
