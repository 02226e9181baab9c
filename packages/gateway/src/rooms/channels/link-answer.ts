// Answer for a client about a login: words, and the picture to scan.
import { wordOf, type LinkState, type OpenStep } from "./account-links.ts";

export interface LinkAnswer {
  readonly state: LinkState["kind"];
  readonly message: string;
  readonly qrDataUrl?: string;
  readonly step?: OpenStep;
}

export async function answerLink(link: LinkState, label: string): Promise<LinkAnswer> {
  const state = link.kind;
  if (link.kind === "linked") return { state, message: `${label} is linked.` };
  if (link.kind === "ended") return { state, message: link.why };
  const { step } = link;
  if (!step) return { state, message: `${label} has not said yet what to do. Ask again in a moment.` };
  if (step.kind === "code") return { state, message: `Type this code: ${step.code}. ${step.hint}`, step };
  const message = `Scan this code with ${label} on your telephone, where it links devices. It is good for a short time.`;
  return { state, message, step, qrDataUrl: await drawQrCode(wordOf(step)) };
}

async function drawQrCode(text: string): Promise<string> {
  const { renderSVG } = await import("uqr");
  return `data:image/svg+xml;base64,${Buffer.from(renderSVG(text)).toString("base64")}`;
}
