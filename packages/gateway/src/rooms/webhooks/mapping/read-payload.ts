// Parses a body: JSON, a form, or plain text. It is read only after its sender is believed.
import { isTooDeep } from "@chela/sdk/base";

export type ReadPayload =
  | { readonly kind: "payload"; readonly payload: unknown }
  | { readonly kind: "unreadable"; readonly why: string };

const TOO_DEEP: ReadPayload = { kind: "unreadable", why: "The body is nested too deeply." };
const UTF8 = new TextDecoder("utf-8");

export function readPayload(body: Uint8Array, contentType: string | undefined): ReadPayload {
  const text = UTF8.decode(body);
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (text.trim() === "") return { kind: "payload", payload: {} };
  if (isTooDeep(text)) return TOO_DEEP;
  // JSON goes before what its sender calls it: many say "form" and send JSON, and no form begins with a brace.
  const json = readJson(text);
  if (json !== undefined) return { kind: "payload", payload: json.value };
  if (type === "application/x-www-form-urlencoded" && !text.trimStart().startsWith("{")) {
    const form = new URLSearchParams(text);
    return isTooDeep(form.get("payload") ?? "") ? TOO_DEEP : { kind: "payload", payload: readForm(form) };
  }
  if (type === "text/plain") return { kind: "payload", payload: { text } };
  return { kind: "unreadable", why: "The body is not valid JSON." };
}

/** GitHub and Slack can send the JSON as a field of a form. */
function readForm(form: URLSearchParams): unknown {
  const inner = readJson(form.get("payload") ?? "");
  if (typeof inner?.value === "object" && inner.value !== null) return inner.value;
  // Without a prototype no field can be anything but a field.
  return Object.assign(Object.create(null) as object, Object.fromEntries(form));
}

function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}
