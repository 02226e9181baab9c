// `chela qr`: a setup code for a phone, as a picture it can scan. The code works for one device, once, for ten minutes.
import { type CommandCall, CommandFailure, type FlagValues } from "@chela/sdk/command-line";
import type { MethodAnswer } from "@chela/sdk/protocol";
import { callGateway } from "../connect/gateway-client.ts";
import { readSettings } from "../connect/known-settings.ts";

type Setup = MethodAnswer<"device.setup.create">;

export async function qr(call: CommandCall): Promise<number> {
  const { flags, terminal } = call;
  const url = await wantedUrl(call);
  const name = flags.text("name");
  const role = flags.text("role");
  const params = { ...(url ? { url } : {}), ...(name ? { name } : {}), ...(role ? { role } : {}) };
  const toGateway = { ...call, flags: withoutUrl(flags) };
  const setup = await callGateway(toGateway, "device.setup.create", params);
  if (flags.has("setup-code-only")) terminal.print(setup.setupCode);
  else if (flags.has("json")) terminal.printJson(setup);
  else await show(setup, call);
  return 0;
}

async function show({ setupCode, url, expiresAtMs }: Setup, { flags, terminal }: CommandCall): Promise<void> {
  if (!flags.has("no-ascii")) {
    const { renderUnicodeCompact } = await import("uqr");
    terminal.print(renderUnicodeCompact(setupCode));
  }
  const until = new Date(expiresAtMs).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  terminal.print(`Setup code: ${setupCode}`);
  terminal.print(`Gateway:    ${url}`);
  terminal.print(`Scan it with the app, or type it in. It is for one device, until ${until}. Show it to nobody else.`);
}

/** The address the phone shall use; undefined lets the gateway find its own. */
async function wantedUrl(call: CommandCall): Promise<string | undefined> {
  const { flags } = call;
  const named = flags.text("url") ?? flags.text("public-url");
  if (named !== undefined) return named;
  const { gateway } = (await readSettings(call)).config;
  if (!flags.has("remote") && gateway?.mode !== "remote") return undefined;
  if (gateway?.remote?.url) return gateway.remote.url;
  throw new CommandFailure("other", "gateway.remote.url is not set.", {
    fix: "Set it with `chela config set gateway.remote.url wss://…`, or name the address: `chela qr --url wss://…`.",
  });
}

/** Here --url is the phone's way to the gateway; ours is the usual one. */
function withoutUrl(flags: FlagValues): FlagValues {
  return {
    has: (name) => name !== "url" && flags.has(name),
    text: (name) => (name === "url" ? undefined : flags.text(name)),
    number: (name) => flags.number(name),
    list: (name) => flags.list(name),
  };
}
