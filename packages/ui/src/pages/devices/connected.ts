// Who is connected right now, the gateway itself first.
import { html, nothing, type TemplateResult } from "lit";
import type { MethodAnswer } from "@chela/sdk/protocol";
import type { Words } from "../../words/index.ts";
import { deviceKind, deviceName } from "./device-words.ts";

export type Present = MethodAnswer<"system-presence">[number];

/** Those who left are still listed for a while; they are not here. */
export function isHere({ reason }: Present): boolean {
  return reason !== "disconnect";
}

export function renderConnected(present: readonly Present[], all: Words, ownId: string | undefined): TemplateResult {
  const words = all.of("devices");
  return html`<ul class="devices-list">
    ${present.map((one) => {
      const isGateway = one.reason === "self";
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
            <strong><bdi>${isGateway ? words.theGateway : deviceName(words, { displayName: one.host })}</bdi></strong>
            ${isOwn ? html`<span class="badge info">${words.thisBrowser}</span>` : nothing}
          </div>
          <div class="hint">${facts.join(" · ")}</div>
        </div>
      </li>`;
    })}
  </ul>`;
}
