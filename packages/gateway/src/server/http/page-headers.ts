// Headers that keep foreign code out of the control page, and the page out of foreign frames.
import { createHash } from "node:crypto";

/**
 * The page runs its own files and speaks with its own gateway, nothing else. Pictures of other sites are links in it,
 * so that a message cannot tell a stranger that it was read.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types lit-html chela",
];

/**
 * The viewer shows HTML that an agent made. It has an origin of its own and can be framed by the page. Its own script is
 * the only one that runs: a document with scripts could tell strangers something by WebRTC, which no policy forbids.
 */
const VIEWER_POLICY = [
  "sandbox allow-scripts",
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src data: blob:",
  "media-src data: blob:",
  "font-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
];

/**
 * A page of another maker styles by itself and brings a script within its text, which is let run by its digest. It still
 * speaks with this gateway alone, whatever a link tells it, and loads nothing from elsewhere.
 */
const FOREIGN_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
];

/** What the page needs is for itself; what it does not need is for nobody. */
const PERMISSIONS = [
  ...["microphone", "clipboard-write", "fullscreen"].map((feature) => `${feature}=(self)`),
  ...[
    "accelerometer",
    "camera",
    "clipboard-read",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "midi",
    "payment",
    "publickey-credentials-get",
    "screen-wake-lock",
    "serial",
    "usb",
    "xr-spatial-tracking",
  ].map((feature) => `${feature}=()`),
];

const COMMON = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  // A name in a link must not be looked up before somebody follows it.
  "x-dns-prefetch-control": "off",
};

export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  ...COMMON,
  "cache-control": "no-cache",
  "x-frame-options": "DENY",
  "permissions-policy": PERMISSIONS.join(", "),
  "content-security-policy": PAGE_POLICY.join("; "),
};

/** For a page of another maker with this text. */
export function foreignPolicy(html: string): string {
  const scripts = [...html.matchAll(/<script(?![^>]*\ssrc[\s=])[^>]*>([^]*?)<\/script>/gi)].map(
    ([, script = ""]) => script,
  );
  const digests = scripts.map((script) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return [...FOREIGN_POLICY, ["script-src 'self'", ...digests].join(" ")].join("; ");
}

/** For the viewer with this text. */
export function viewerHeaders(html: string): Readonly<Record<string, string>> {
  const [, script = ""] = /<script>([^]*?)<\/script>/.exec(html) ?? [];
  const digest = createHash("sha256").update(script).digest("base64");
  return {
    ...COMMON,
    "x-frame-options": "SAMEORIGIN",
    "permissions-policy": PERMISSIONS.map((permission) => permission.replace("(self)", "()")).join(", "),
    "content-security-policy": [...VIEWER_POLICY, `script-src 'sha256-${digest}'`].join("; "),
  };
}
