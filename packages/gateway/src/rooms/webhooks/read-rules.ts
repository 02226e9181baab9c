// Reads the rules for webhooks out of the configuration, once for each version of it. What cannot be used is kept with the reason.
import { Secret, THINKING_LEVELS } from "@chela/sdk";
import type { HooksView, MappingView } from "./hooks-view.ts";
import type { AbsentMapping, Dedupe, Mapping, Signature, SignatureType, ToolLists } from "./mapping/mapping.ts";
import { PRESETS, type Preset } from "./mapping/presets.ts";

export interface HookRules {
  readonly isEnabled: boolean;
  /** Without a slash at its end. */
  readonly path: string;
  /** Undefined: what needs the token is not there; `tokenProblem` says why. */
  readonly token: Secret | undefined;
  readonly tokenProblem: string | undefined;
  readonly maxBodyBytes: number;
  readonly defaultSessionKey: string | undefined;
  readonly mayRequestSessionKey: boolean;
  /** Undefined: any. */
  readonly sessionKeyPrefixes: readonly string[] | undefined;
  /** Undefined: any. */
  readonly agentIds: readonly string[] | undefined;
  readonly transformsDir: string | undefined;
  /** In the order in which they are tried. */
  readonly mappings: readonly Mapping[];
  readonly absent: readonly AbsentMapping[];
}

/** Paths the gateway answers itself, and so names no mapping can have. */
const OWN_NAMES = ["wake", "agent"];
const MAX_BODY_BYTES = 262_144;
const TOLERANCE_SECONDS = 300;
const SHORTEST_KEY_BYTES = 8;

export function readHookRules(
  hooks: HooksView = {},
  path: string,
  isGatewaySecret: (text: string) => boolean,
): HookRules {
  const tokenProblem = problemOf(hooks.token, isGatewaySecret);
  const ids = new Set<string>(OWN_NAMES);
  // A mapping that has the preset says more than its name.
  const isMapped = (preset: string) => (hooks.mappings ?? []).some((mapping) => mapping.preset === preset);
  const names = [...new Set(hooks.presets)].filter((preset) => !isMapped(preset));
  const fromPresets = names.map((preset) => ({ preset, origin: "preset" as const }));
  const read = [...(hooks.mappings ?? []).map((view) => ({ ...view, origin: "mapping" as const })), ...fromPresets].map(
    (view, index) => readMapping(view, hooks, nameOnce(view, index, ids)),
  );
  return {
    isEnabled: hooks.enabled === true,
    path,
    token: tokenProblem === undefined ? new Secret(hooks.token ?? "") : undefined,
    tokenProblem,
    maxBodyBytes: hooks.maxBodyBytes ?? MAX_BODY_BYTES,
    defaultSessionKey: hooks.defaultSessionKey?.trim() || undefined,
    mayRequestSessionKey: hooks.allowRequestSessionKey === true,
    sessionKeyPrefixes: hooks.allowedSessionKeyPrefixes?.map((prefix) => prefix.trim().toLowerCase()).filter(Boolean),
    agentIds: hooks.allowedAgentIds?.includes("*") ? undefined : hooks.allowedAgentIds?.map((id) => id.trim()),
    transformsDir: hooks.transformsDir?.trim() || undefined,
    mappings: read.flatMap((one) => ("why" in one ? [] : [one])),
    absent: read.flatMap((one) => ("why" in one ? [one] : [])),
  };
}

function problemOf(token: string | undefined, isGatewaySecret: (text: string) => boolean): string | undefined {
  if (!token?.trim()) return "hooks.token is not set, so nothing is taken that needs it.";
  if (!isGatewaySecret(token)) return undefined;
  return "hooks.token is also the gateway's own secret, so nothing is taken that needs it. Choose another one.";
}

type WrittenMapping = MappingView & { readonly origin: Mapping["origin"] };

/** A name for each, also where the configuration has none or the same twice. */
function nameOnce({ id, preset, match }: MappingView, index: number, taken: Set<string>): string {
  const wanted = plainName(id) || plainName(match?.path) || plainName(preset) || `mapping-${index + 1}`;
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) name = `${wanted}-${count}`;
  taken.add(name);
  return name;
}

function plainName(text = ""): string {
  const name = text.trim().replace(/[^\w.-]+/g, "-");
  return name.replace(/^-+|-+$/g, "").slice(0, 64);
}

function readMapping(view: WrittenMapping, hooks: HooksView, id: string): Mapping | AbsentMapping {
  const { transform, channel, tools } = view;
  const presetName = view.preset?.trim() || undefined;
  const preset = presetName && Object.hasOwn(PRESETS, presetName) ? PRESETS[presetName] : undefined;
  const path = plainPath(view.match?.path) ?? preset?.path;
  const name = view.name?.trim() || preset?.name || "Hook";
  const absent = (why: string): AbsentMapping => ({ id, name, path, preset: presetName, why });
  if (presetName && !preset) {
    return absent(`There is no preset "${presetName}". There are: ${Object.keys(PRESETS).join(", ")}.`);
  }
  const signature = readSignature(view, preset);
  if (signature.kind === "absent") return absent(signature.why);
  if (transform && !transform.module?.trim()) return absent("transform.module does not say which file it is.");
  const gmail = preset === PRESETS["gmail"] ? hooks.gmail : undefined;
  const thinking = view.thinking?.trim() || gmail?.thinking;
  if (thinking && !(THINKING_LEVELS as readonly string[]).includes(thinking)) {
    return absent(`thinking is "${thinking}"; allowed are ${THINKING_LEVELS.join(", ")}.`);
  }
  return {
    id,
    origin: view.origin,
    preset: presetName,
    path,
    source: view.match?.source?.trim() || undefined,
    action: view.action ?? "agent",
    wakeMode: view.wakeMode ?? "now",
    name,
    // A blank one is a mistake that must not become "anybody"; it is refused when it is used.
    agentId: view.agentId,
    sessionKey: view.sessionKey?.trim() || preset?.sessionKey,
    text: textOf(view, preset),
    instructions: view.instructions?.trim() || undefined,
    deliver: view.deliver ?? true,
    isTrusted: view.allowUnsafeExternalContent ?? gmail?.allowUnsafeExternalContent ?? false,
    channel: channel?.trim() || undefined,
    to: view.to?.trim() || undefined,
    model: view.model?.trim() || gmail?.model?.trim() || undefined,
    thinking,
    timeoutSeconds: view.timeoutSeconds,
    tools: tools && toolLists(tools),
    dedupe: readDedupe(view.dedupe),
    signature: signature.kind === "signed" ? signature.signature : undefined,
    transform: transform?.module
      ? { module: transform.module.trim(), exportName: transform.export?.trim() || undefined }
      : undefined,
  };
}

function plainPath(path: string | undefined): string | undefined {
  return path?.split("/").filter(Boolean).join("/") || undefined;
}

function textOf({ action, messageTemplate, textTemplate }: MappingView, preset: Preset | undefined): Mapping["text"] {
  const template = action === "wake" ? (textTemplate ?? messageTemplate) : (messageTemplate ?? textTemplate);
  if (template !== undefined) return { template };
  return preset && { lines: preset.lines };
}

function toolLists({ allow, deny }: NonNullable<MappingView["tools"]>): ToolLists {
  return { ...(allow ? { allow } : {}), ...(deny ? { deny } : {}) };
}

function readDedupe(written: string | undefined): Dedupe {
  const word = written?.trim() || "auto";
  if (word === "auto" || word === "body" || word === "none") return { kind: word };
  return { kind: "template", template: word.includes("{{") ? word : `{{${word}}}` };
}

type ReadSignature =
  | { readonly kind: "signed"; readonly signature: Signature }
  | { readonly kind: "token" }
  | { readonly kind: "absent"; readonly why: string };

/** Whoever says that requests are signed must say with what: half of it would let everybody in. */
function readSignature({ signature: written }: MappingView, preset: Preset | undefined): ReadSignature {
  const type: SignatureType | undefined = written?.type ?? preset?.signature;
  if (!written && !type) return { kind: "token" };
  const secret = written?.secret ?? "";
  if (secret.trim() === "") {
    const place = written
      ? "Set its signature.secret."
      : "Write it into hooks.mappings, with preset and signature.secret.";
    return { kind: "absent", why: `It has no secret to check signatures with. ${place}` };
  }
  if (!type) return { kind: "absent", why: "signature.type does not say how requests are signed." };
  if (type === "standard" && secret.startsWith("whsec_") && keyBytes(secret) < SHORTEST_KEY_BYTES) {
    return { kind: "absent", why: "What stands behind whsec_ in signature.secret is no secret in base64." };
  }
  const { header, toleranceSeconds = TOLERANCE_SECONDS } = written ?? {};
  return {
    kind: "signed",
    signature: {
      type,
      secret: new Secret(secret),
      header: header?.trim().toLowerCase() || undefined,
      toleranceSeconds,
    },
  };
}

function keyBytes(secret: string): number {
  return Buffer.from(secret.slice("whsec_".length), "base64").length;
}
