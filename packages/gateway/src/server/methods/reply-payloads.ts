// Payloads of a turn's answer for clients: one for each text, the files with the last of them, and what went wrong at the end.
import type { MediaRef, RunOutcome } from "@chela/sdk";
import type { House } from "../../house/house.ts";

export interface ReplyPayload {
  readonly text?: string;
  readonly mediaUrl: string | null;
  /** All files, when there are several. */
  readonly mediaUrls?: readonly string[];
  /** The text says why there is no answer. */
  readonly isError?: true;
}

export async function replyPayloads(
  gateway: Pick<House, "media">,
  outcome: RunOutcome,
): Promise<readonly ReplyPayload[]> {
  const urls = await placesOf(gateway, outcome.media ?? []);
  const said: ReplyPayload[] = outcome.texts.map((text) => ({ text, mediaUrl: null }));
  if (urls.length > 0) said.push({ ...said.pop(), ...enclosed(urls) });
  if (outcome.status !== "error") return said;
  return [...said, { text: outcome.error ?? "the turn failed", mediaUrl: null, isError: true }];
}

/** Why the model's last message ended. */
export function stopReasonOf({ status, stopReason }: RunOutcome): string {
  if (status !== "ok") return status;
  return stopReason ?? "stop";
}

function enclosed(urls: readonly string[]): Pick<ReplyPayload, "mediaUrl" | "mediaUrls"> {
  return { mediaUrl: urls[0] ?? null, ...(urls.length > 1 ? { mediaUrls: urls } : {}) };
}

/** Where the files lie on this machine; what is no longer kept is left out. */
async function placesOf(gateway: Pick<House, "media">, files: readonly MediaRef[]): Promise<string[]> {
  if (files.length === 0) return [];
  const media = await gateway.media();
  const found = await Promise.all(files.map(({ id }) => media.find(id)));
  return found.flatMap((one) => (one ? [one.path] : []));
}
