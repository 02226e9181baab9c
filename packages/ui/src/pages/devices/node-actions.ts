// Actions on what a device offers to agents: allow it, take it back, and see whether it answers.
import type { World } from "../../app/world.ts";
import { attempt } from "./device-actions.ts";
import { deviceName } from "./device-words.ts";
import { abilitiesOf, type NodeRow, type WaitingNode } from "./node-words.ts";

type Named = Pick<NodeRow, "nodeId" | "displayName">;

/** Harmless questions that show whether a device answers. */
const QUESTIONS = ["device.status", "device.info"];
const NOTIFY = "system.notify";
const PATIENCE_MS = 15_000;

/** What of this the device can be asked right now. */
export function canNotify({ connected, commands }: NodeRow): boolean {
  return connected && commands.includes(NOTIFY);
}

export function canAnswer({ connected, commands }: NodeRow): boolean {
  return connected && QUESTIONS.some((question) => commands.includes(question));
}

/** What runs programs or acts in somebody's name is asked about once more. False when somebody thought better of it. */
export async function isMeant(world: World, node: WaitingNode): Promise<boolean> {
  const words = world.words.of("devices");
  const strong = abilitiesOf(node.adds.commands, words).filter(({ isStrong }) => isStrong);
  if (strong.length === 0) return true;
  return world.notices.ask({
    title: words.strongTitle(deviceName(words, node)),
    text: words.strongText(strong.map(({ name }) => name).join(", ")),
    yes: words.allow,
    isDangerous: true,
  });
}

export function notifyNode(world: World, node: NodeRow): Promise<boolean> {
  const words = world.words.of("devices");
  const params = { title: words.helloTitle, body: words.helloBody };
  return attempt(world, () => invoke(world, node, NOTIFY, params), words.notified(deviceName(words, node)));
}

export function checkNode(world: World, node: NodeRow): Promise<boolean> {
  const words = world.words.of("devices");
  const command = QUESTIONS.find((question) => node.commands.includes(question)) ?? "";
  return attempt(world, async () => {
    const since = performance.now();
    await invoke(world, node, command, {});
    world.notices.say(words.answered(deviceName(words, node), world.words.duration(performance.now() - since)));
  });
}

export async function takeBack(world: World, node: Named): Promise<boolean> {
  const words = world.words.of("devices");
  const name = deviceName(words, node);
  const question = {
    title: words.takeBackTitle(name),
    text: words.takeBackText,
    yes: words.takeBack,
    isDangerous: true,
  };
  if (!(await world.notices.ask(question))) return false;
  const { nodeId } = node;
  return attempt(world, () => world.wire.call("node.pair.remove", { nodeId }), words.tookBack(name));
}

function invoke(world: World, { nodeId }: NodeRow, command: string, params: object): Promise<unknown> {
  const idempotencyKey = crypto.randomUUID();
  return world.wire.call("node.invoke", { nodeId, command, params, timeoutMs: PATIENCE_MS, idempotencyKey });
}
