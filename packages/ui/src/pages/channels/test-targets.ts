// Receivers of a test message: whom the platform knows, and whom was written to before.
import type { MethodAnswer, MethodName, MethodParams } from "@chela/sdk/protocol";
import type { Wire } from "../../wire/wire.ts";
import type { ChannelAccount } from "./accounts-of.ts";

export interface TestTarget {
  /** What is sent to. */
  readonly to: string;
  readonly name: string;
  readonly kind: "person" | "group" | "known";
}

const MOST = 100;
const MOST_KNOWN = 20;

/** Channels that cannot tell are no failure: an address can always be typed. */
export async function findTargets(wire: Wire, account: ChannelAccount): Promise<TestTarget[]> {
  const { channel, accountId, row, abilities } = account;
  const ask = async <M extends MethodName>(method: M, params: MethodParams<M>): Promise<MethodAnswer<M> | undefined> =>
    wire.call(method, params).catch(() => undefined);
  const hasDirectory = abilities.has("directory");
  const name = { channel, accountId, limit: MOST };
  const [people, groups, sent] = await Promise.all([
    hasDirectory ? ask("directory.users", name) : undefined,
    hasDirectory ? ask("directory.groups", name) : undefined,
    ask("deliveries.list", { channel, state: "delivered", limit: MOST_KNOWN }),
  ]);
  return withoutDoubles([
    ...(people?.entries ?? []).map(({ id, name, username }) => target(id, name ?? username, "person")),
    ...(groups?.entries ?? []).map(({ id, name }) => target(id, name, "group")),
    ...(row.allowFrom ?? [])
      .filter((entry) => entry !== "*" && !row.unresolved.includes(entry))
      .map((entry) => target(entry, undefined, "person")),
    ...(sent?.deliveries ?? [])
      .filter((delivery) => delivery.accountId === accountId)
      .map(({ to }) => target(to, undefined, "known")),
  ]);
}

function target(to: string, name: string | undefined, kind: TestTarget["kind"]): TestTarget {
  return { to, name: name || to, kind };
}

function withoutDoubles(targets: readonly TestTarget[]): TestTarget[] {
  const seen = new Map<string, TestTarget>();
  for (const one of targets) if (!seen.has(one.to)) seen.set(one.to, one);
  return [...seen.values()];
}
