// Gathers what waits for a person from several answers, by how much it matters: rows for some, a number for others.
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { Job } from "../jobs/job-actions.ts";
import { jobNeedsSomebody } from "../jobs/run-facts.ts";
import { channelState, needsSomebody, type ChannelState } from "./channel-state.ts";

type Approval = MethodAnswer<"exec.approval.list">["pending"][number];
type Person = MethodAnswer<"pairing.list">["requests"][number];
type Device = MethodAnswer<"device.pair.list">["pending"][number];
type Paired = MethodAnswer<"device.pair.list">["paired"][number];
type Node = MethodAnswer<"node.pair.list">["pending"][number];
type Delivery = MethodAnswer<"deliveries.list">["deliveries"][number];
type Channels = MethodAnswer<"channels.status">;

export type Waiting =
  | { readonly kind: "approval"; readonly approval: Approval }
  | { readonly kind: "person"; readonly person: Person; readonly channel: string }
  | { readonly kind: "device"; readonly device: Device }
  | { readonly kind: "node"; readonly node: Node; readonly name: string | undefined }
  | {
      readonly kind: "channel";
      readonly channel: string;
      readonly name: string;
      readonly state: ChannelState;
      readonly error: string | undefined;
    }
  | { readonly kind: "names"; readonly channel: string; readonly name: string; readonly names: readonly string[] }
  | { readonly kind: "delivery"; readonly delivery: Delivery; readonly channel: string }
  | { readonly kind: "more-deliveries"; readonly count: number }
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "more-jobs"; readonly count: number };

/** What is known so far; what was not answered is left out. */
export interface KnownWaiting {
  readonly approvals?: readonly Approval[] | undefined;
  readonly people?: readonly Person[] | undefined;
  readonly devices?: readonly Device[] | undefined;
  readonly paired?: readonly Paired[] | undefined;
  readonly nodes?: readonly Node[] | undefined;
  readonly deliveries?: readonly Delivery[] | undefined;
  readonly channels?: Channels | undefined;
  readonly jobs?: readonly Job[] | undefined;
}

const MOST_DELIVERIES = 3;
const MOST_JOBS = 3;

/** People who wait come first, then what stands still. */
export function gatherWaiting(known: KnownWaiting, now: number): Waiting[] {
  const { approvals = [], people = [], devices = [] } = known;
  const labels = known.channels?.channelLabels ?? {};
  return [
    ...approvals.map((approval) => ({ kind: "approval", approval }) as const),
    ...people.map((person) => ({ kind: "person", person, channel: labels[person.channel] ?? person.channel }) as const),
    ...devices.filter(({ expiresAtMs }) => expiresAtMs > now).map((device) => ({ kind: "device", device }) as const),
    ...nodeNeeds(known),
    ...channelNeeds(known.channels),
    ...deliveryNeeds(known.deliveries ?? [], labels),
    ...jobNeeds(known.jobs ?? []),
  ];
}

/** A node that says no name may have been given one when it was paired. */
function nodeNeeds({ nodes = [], paired = [] }: KnownWaiting): Waiting[] {
  const nameOf = (id: string): string | undefined => paired.find(({ deviceId }) => deviceId === id)?.displayName;
  return nodes.map((node) => ({ kind: "node", node, name: node.displayName ?? nameOf(node.nodeId) }));
}

function channelNeeds(channels: Channels | undefined): Waiting[] {
  return accountsOf(channels).flatMap(({ channel, name, account }): Waiting[] => {
    const state = channelState(account);
    if (needsSomebody(state)) return [{ kind: "channel", channel, name, state, error: account.lastError }];
    const names = account.enabled ? account.unresolved : [];
    return names.length > 0 ? [{ kind: "names", channel, name, names }] : [];
  });
}

function deliveryNeeds(deliveries: readonly Delivery[], labels: Readonly<Record<string, string>>): Waiting[] {
  const more = deliveries.length - MOST_DELIVERIES;
  return [
    ...deliveries.slice(0, MOST_DELIVERIES).map((delivery): Waiting => ({
      kind: "delivery",
      delivery,
      channel: labels[delivery.channel] ?? delivery.channel,
    })),
    ...(more > 0 ? [{ kind: "more-deliveries", count: more } as const] : []),
  ];
}

function jobNeeds(jobs: readonly Job[]): Waiting[] {
  const failed = jobs.filter(jobNeedsSomebody);
  const more = failed.length - MOST_JOBS;
  return [
    ...failed.slice(0, MOST_JOBS).map((job) => ({ kind: "job", job }) as const),
    ...(more > 0 ? [{ kind: "more-jobs", count: more } as const] : []),
  ];
}

/** Every account of every channel. An account is named where a channel has several. */
export function accountsOf(channels: Channels | undefined) {
  return (channels?.channelOrder ?? []).flatMap((channel) => {
    const accounts = channels?.channelAccounts[channel] ?? [];
    const label = channels?.channelLabels[channel] ?? channel;
    return accounts.map((account) => ({
      channel,
      account,
      name: accounts.length > 1 ? `${label} (${account.accountId})` : label,
    }));
  });
}
