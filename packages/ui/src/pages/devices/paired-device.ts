// A device that has a key: what it is, what it may do, what it does for agents, and what can be done about it.
import { html, nothing, type TemplateResult } from "lit";
import type { MenuChoice } from "../../parts/menu.ts";
import type { Words } from "../../words/index.ts";
import {
  deviceKind,
  deviceName,
  powerName,
  powersOf,
  roleName,
  rolesOf,
  shortId,
  type DeviceWords,
  type PairedDevice,
} from "./device-words.ts";
import { canAnswer, canNotify } from "./node-actions.ts";
import { abilitiesOf, idleOf, type ApprovedNode, type NodeRow } from "./node-words.ts";
import "../../parts/menu.ts";

export type DeviceAction =
  | { readonly kind: "rotate" | "revoke"; readonly role: string }
  | { readonly kind: "remove" | "rename" | "notify" | "check" | "take-back" };

export interface PairedFacts {
  readonly isThisBrowser: boolean;
  readonly isConnected: boolean;
  /** What it does for agents, if it is one that does. */
  readonly node: NodeRow | undefined;
  readonly approved: ApprovedNode | undefined;
}

export function renderPaired(
  device: PairedDevice,
  facts: PairedFacts,
  all: Words,
  act: (action: DeviceAction) => void,
): TemplateResult {
  const { isThisBrowser, isConnected, node, approved } = facts;
  const words = all.of("devices");
  const name = deviceName(words, node ?? device);
  const live = device.tokens.filter(({ revokedAtMs }) => revokedAtMs === undefined);
  const isSignedOut = device.tokens.length > 0 && live.length === 0;
  return html`<li class="devices-device">
    <span class="devices-dot" ?data-on=${isConnected}></span>
    <div class="devices-about">
      <div class="row wrap">
        <strong><bdi>${name}</bdi></strong>
        ${isThisBrowser ? html`<span class="badge info">${words.thisBrowser}</span>` : nothing}
        ${isConnected ? html`<span class="badge good">${words.connectedNow}</span>` : nothing}
        ${isSignedOut ? html`<span class="badge warn">${words.revoked}</span>` : nothing}
        ${node?.waits ? html`<span class="badge warn">${words.asksMoreShort}</span>` : nothing}
        <code class="muted" title=${device.deviceId}>${shortId(device.deviceId)}</code>
      </div>
      ${renderPowers(device, words)} ${node ? renderOffer(node, approved, words) : nothing}
      <div class="hint">${factsOf(device, all).join(" · ")}</div>
    </div>
    <chela-menu
      label=${words.actions(name)}
      .icon=${"more"}
      .choices=${choicesOf(
        live.map(({ role }) => role),
        words,
        facts,
      )}
      @menu-choose=${({ detail }: CustomEvent<MenuChoice>) => act(actionOf(detail.id))}
    ></chela-menu>
  </li>`;
}

/** A device that only does things for agents may do nothing here by itself, which is not worth a line. */
function renderPowers(device: PairedDevice, words: DeviceWords): TemplateResult | typeof nothing {
  const powers = powersOf(scopesOf(device)).map((power) => powerName(words, power));
  if (powers.length === 0 && !rolesOf(device).includes("operator")) return nothing;
  return html`<div>${powers.join(" · ") || words.noScopes}</div>`;
}

function renderOffer(node: NodeRow, approved: ApprovedNode | undefined, words: DeviceWords): TemplateResult {
  const abilities = abilitiesOf(node.commands, words);
  const idle = idleOf(node, approved);
  return html`<div>
      ${words.forAgents}
      ${
        abilities.length === 0
          ? html`<span class="muted">${words.nothingForAgents}</span>`
          : abilities.map(
              ({ name, commands }, index) =>
                html`${index > 0 ? " · " : nothing}<span title=${commands.join(" ")}>${name}</span>`,
            )
      }
    </div>
    ${
      idle.length > 0
        ? html`<div class="hint">
            ${words.idle(
              abilitiesOf(idle, words)
                .map(({ name }) => name)
                .join(", "),
            )}
          </div>`
        : nothing
    }`;
}

function factsOf(device: PairedDevice, all: Words): string[] {
  const words = all.of("devices");
  const used = device.tokens.flatMap(({ lastUsedAtMs }) => lastUsedAtMs ?? []);
  return [
    ...new Set([...rolesOf(device).map((role) => roleName(words, role)), ...deviceKind(words, device)]),
    ...(device.remoteIp ? [device.remoteIp] : []),
    words.pairedSince(all.ago(device.createdAtMs)),
    ...(used.length > 0 ? [words.lastUsed(all.ago(Math.max(...used)))] : []),
  ];
}

/** What its tokens are worth counts; a device without one has what it was approved for. */
function scopesOf({ tokens, scopes = [] }: PairedDevice): readonly string[] {
  const live = tokens.filter(({ revokedAtMs }) => revokedAtMs === undefined);
  return live.length > 0 ? [...new Set(live.flatMap((token) => token.scopes))] : scopes;
}

/** This browser cannot be given a token by itself: its connection would end before the answer came. */
function choicesOf(
  roles: readonly string[],
  words: DeviceWords,
  { isThisBrowser, node, approved }: PairedFacts,
): MenuChoice[] {
  const isOne = roles.length === 1;
  const forRoles = isThisBrowser
    ? []
    : roles.flatMap((role): MenuChoice[] => [
        { id: `rotate ${role}`, icon: "key", label: isOne ? words.rotate : words.rotateRole(roleName(words, role)) },
        { id: `revoke ${role}`, icon: "close", label: isOne ? words.revoke : words.revokeRole(roleName(words, role)) },
      ]);
  const isApproved = approved !== undefined && approved.commands.length + approved.caps.length > 0;
  return [
    ...(node ? [{ id: "rename", icon: "edit", label: words.rename } as const] : []),
    ...(node && canNotify(node) ? [{ id: "notify", icon: "bell", label: words.notify } as const] : []),
    ...(node && canAnswer(node) ? [{ id: "check", icon: "overview", label: words.check } as const] : []),
    ...forRoles,
    ...(isApproved ? [{ id: "take-back", icon: "rewind", label: words.takeBack, isDangerous: true } as const] : []),
    { id: "remove", icon: "trash", label: words.remove, isDangerous: true },
  ];
}

function actionOf(id: string): DeviceAction {
  const [, kind, role] = /^(rotate|revoke) (.+)$/.exec(id) ?? [];
  if (role !== undefined) return { kind: kind === "rotate" ? "rotate" : "revoke", role };
  return id === "rename" || id === "notify" || id === "check" || id === "take-back" ? { kind: id } : { kind: "remove" };
}
