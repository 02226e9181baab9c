// List of who is connected right now, the gateway itself first.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { Words } from "../../words/index.ts";
import { deviceKind, deviceName } from "./device-words.ts";

export type Present = MethodAnswer<"system-presence">[number];

/** Those who left are still listed for a while; they are not here. */
export function isHere({ reason }: Present): boolean {
  return reason !== "disconnect";
}

interface KnownDevices {
  readonly ownId: string | undefined;
  /** What it is called among the devices that are paired. */
  nameOf(deviceId: string): string | undefined;
}

export function renderConnected(
  present: readonly Present[],
  all: Words,
  { ownId, nameOf }: KnownDevices,
): TemplateResult {
  const words = all.of("devices");
  return html`<ul class="devices-list">
    ${present.map((one) => {
      const isGateway = one.reason === "self";
      const displayName = (one.deviceId === undefined ? undefined : nameOf(one.deviceId)) ?? one.host;
      const isOwn = ownId !== undefined && one.deviceId === ownId;
      const kind = isGateway
        ? [one.host ?? "", one.platform ?? ""]
        : deviceKind(words, { clientMode: one.mode, platform: one.platform, deviceFamily: one.deviceFamily });
      const facts = [
        ...kind,
        one.ip ?? "",
        one.version ? words.version(one.version) : "",
        isGateway ? "" : words.connectedSince(all.ago(one.ts)),
      ].filter(Boolean);
      return html`<li class="devices-device">
        <span class="devices-dot" data-on></span>
        <div class="devices-about">
          <div class="row wrap">
            <strong><bdi>${isGateway ? words.theGateway : deviceName(words, { displayName })}</bdi></strong>
            ${isOwn ? html`<span class="badge info">${words.thisBrowser}</span>` : nothing}
          </div>
          <div class="hint">${facts.join(" · ")}</div>
        </div>
      </li>`;
    })}
  </ul>`;
}
