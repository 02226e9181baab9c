// What needs a person, gathered from many answers, in the order in which it matters.
import { isNear } from "../../parts/budget-meter.ts";
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { Job } from "../../jobs/job-actions.ts";
import { jobNeedsSomebody } from "../../jobs/run-facts.ts";
import type { Finding } from "../../state/security-audit.ts";
import { channelState, needsSomebody, type ChannelState } from "../../state/channel-state.ts";

type Approval = MethodAnswer<"exec.approval.list">["pending"][number];
type Person = MethodAnswer<"pairing.list">["requests"][number];
type Device = MethodAnswer<"device.pair.list">["pending"][number];
type Paired = MethodAnswer<"device.pair.list">["paired"][number];
type Node = MethodAnswer<"node.pair.list">["pending"][number];
type Delivery = MethodAnswer<"deliveries.list">["deliveries"][number];
type Channels = MethodAnswer<"channels.status">;
type Config = MethodAnswer<"config.get">;
type Budget = MethodAnswer<"usage.budgets">["budgets"][number];

export type Need =
  | { readonly kind: "approval"; readonly approval: Approval }
  | { readonly kind: "person"; readonly person: Person; readonly channel: string }
  | { readonly kind: "device"; readonly device: Device }
  | { readonly kind: "node"; readonly node: Node; readonly name: string | undefined }
  | {
      readonly kind: "config";
      readonly tone: "bad" | "warn";
      readonly config: Config;
      readonly issues: Config["issues"];
    }
  | {
      readonly kind: "channel";
      readonly channel: string;
      readonly name: string;
      readonly state: ChannelState;
      readonly error: string | undefined;
    }
  | { readonly kind: "names"; readonly channel: string; readonly name: string; readonly names: readonly string[] }
  | { readonly kind: "budget"; readonly budget: Budget }
  | { readonly kind: "delivery"; readonly delivery: Delivery; readonly channel: string }
  | { readonly kind: "more-deliveries"; readonly count: number }
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "more-jobs"; readonly count: number }
  | { readonly kind: "danger"; readonly finding: Finding }
  | { readonly kind: "weak"; readonly findings: readonly Finding[] };

/** What is known so far; what was not answered is left out. */
export interface Known {
  readonly approvals?: readonly Approval[] | undefined;
  readonly people?: readonly Person[] | undefined;
  readonly devices?: readonly Device[] | undefined;
  readonly paired?: readonly Paired[] | undefined;
  readonly nodes?: readonly Node[] | undefined;
  readonly deliveries?: readonly Delivery[] | undefined;
  readonly channels?: Channels | undefined;
  readonly config?: Config | undefined;
  readonly budgets?: readonly Budget[] | undefined;
  readonly jobs?: readonly Job[] | undefined;
  readonly findings?: readonly Finding[] | undefined;
}

const MOST_DELIVERIES = 3;
const MOST_JOBS = 3;

/** People who wait come first, then what stands still, then what only may become a problem. */
export function gatherNeeds(known: Known, now: number): Need[] {
  const { approvals = [], people = [], devices = [], budgets = [] } = known;
  const labels = known.channels?.channelLabels ?? {};
  return [
    ...approvals.map((approval) => ({ kind: "approval", approval }) as const),
    ...people.map((person) => ({ kind: "person", person, channel: labels[person.channel] ?? person.channel }) as const),
    ...devices.filter(({ expiresAtMs }) => expiresAtMs > now).map((device) => ({ kind: "device", device }) as const),
    ...nodeNeeds(known),
    ...dangers(known.findings ?? []),
    ...configNeeds(known.config, "bad"),
    ...channelNeeds(known.channels),
    ...budgets.filter(({ share }) => isNear(share)).map((budget) => ({ kind: "budget", budget }) as const),
    ...deliveryNeeds(known.deliveries ?? [], labels),
    ...jobNeeds(known.jobs ?? []),
    ...configNeeds(known.config, "warn"),
    ...weaknesses(known.findings ?? []),
  ];
}

/** A node that says no name may have been given one when it was paired. */
function nodeNeeds({ nodes = [], paired = [] }: Known): Need[] {
  const nameOf = (id: string): string | undefined => paired.find(({ deviceId }) => deviceId === id)?.displayName;
  return nodes.map((node) => ({ kind: "node", node, name: node.displayName ?? nameOf(node.nodeId) }));
}

function dangers(findings: readonly Finding[]): Need[] {
  return findings
    .filter(({ severity }) => severity === "critical")
    .map((finding) => ({ kind: "danger", finding }) as const);
}

/** What only could be safer is told in one breath. */
function weaknesses(all: readonly Finding[]): Need[] {
  const findings = all.filter(({ severity }) => severity === "warning");
  return findings.length > 0 ? [{ kind: "weak", findings }] : [];
}

function configNeeds(config: Config | undefined, tone: "bad" | "warn"): Need[] {
  const issues = (tone === "bad" ? config?.issues : config?.warnings) ?? [];
  return config && issues.length > 0 ? [{ kind: "config", tone, config, issues }] : [];
}

function channelNeeds(channels: Channels | undefined): Need[] {
  return accountsOf(channels).flatMap(({ channel, name, account }): Need[] => {
    const state = channelState(account);
    if (needsSomebody(state)) return [{ kind: "channel", channel, name, state, error: account.lastError }];
    const names = account.enabled ? account.unresolved : [];
    return names.length > 0 ? [{ kind: "names", channel, name, names }] : [];
  });
}

function deliveryNeeds(deliveries: readonly Delivery[], labels: Readonly<Record<string, string>>): Need[] {
  const more = deliveries.length - MOST_DELIVERIES;
  return [
    ...deliveries
      .slice(0, MOST_DELIVERIES)
      .map((delivery): Need => ({ kind: "delivery", delivery, channel: labels[delivery.channel] ?? delivery.channel })),
    ...(more > 0 ? [{ kind: "more-deliveries", count: more } as const] : []),
  ];
}

function jobNeeds(jobs: readonly Job[]): Need[] {
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
