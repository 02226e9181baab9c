// A device that has a key: what it is, what it may do, when it came, and what can be done about it.
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
import "../../parts/menu.ts";

export type DeviceAction = { readonly kind: "rotate" | "revoke"; readonly role: string } | { readonly kind: "remove" };

export interface PairedFacts {
  readonly isThisBrowser: boolean;
  readonly isConnected: boolean;
}

export function renderPaired(
  device: PairedDevice,
  { isThisBrowser, isConnected }: PairedFacts,
  all: Words,
  act: (action: DeviceAction) => void,
): TemplateResult {
  const words = all.of("devices");
  const name = deviceName(words, device);
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
        <code class="muted" title=${device.deviceId}>${shortId(device.deviceId)}</code>
      </div>
      <div>
        ${
          powersOf(scopesOf(device))
            .map((power) => powerName(words, power))
            .join(" · ") || words.noScopes
        }
      </div>
      <div class="hint">${factsOf(device, all).join(" · ")}</div>
    </div>
    <chela-menu
      label=${words.actions(name)}
      .icon=${"more"}
      .choices=${choicesOf(
        live.map(({ role }) => role),
        words,
        isThisBrowser,
      )}
      @menu-choose=${({ detail }: CustomEvent<MenuChoice>) => act(actionOf(detail.id))}
    ></chela-menu>
  </li>`;
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
function choicesOf(roles: readonly string[], words: DeviceWords, isThisBrowser: boolean): MenuChoice[] {
  const isOne = roles.length === 1;
  const forRoles = isThisBrowser
    ? []
    : roles.flatMap((role): MenuChoice[] => [
        { id: `rotate ${role}`, icon: "key", label: isOne ? words.rotate : words.rotateRole(roleName(words, role)) },
        { id: `revoke ${role}`, icon: "close", label: isOne ? words.revoke : words.revokeRole(roleName(words, role)) },
      ]);
  return [...forRoles, { id: "remove", icon: "trash", label: words.remove, isDangerous: true }];
}

function actionOf(id: string): DeviceAction {
  const [, kind, role] = /^(rotate|revoke) (.+)$/.exec(id) ?? [];
  return role === undefined ? { kind: "remove" } : { kind: kind === "rotate" ? "rotate" : "revoke", role };
}
