// Banner of a gateway that is up: where it listens, who answers, where things are, how to go on.
import type { Terminal } from "@chela/sdk/command-line";
import { issueSentence, pageSettings, unusedSentence } from "../../rooms/config/room.ts";
import type { RunningGateway } from "../../main.ts";
import { takeoverLines } from "../../house/start/takeover-text.ts";
import { VERSION } from "../../version.ts";
import { pageLink } from "../views/page-link.ts";
import { splitConfigNotice } from "../offline/split-config.ts";

export interface BannerFacts {
  /** Where the page and the command line reach it, such as http://127.0.0.1:18789 */
  readonly url: string;
  readonly bind: string;
}

export async function printBanner(gateway: RunningGateway, terminal: Terminal, facts: BannerFacts): Promise<void> {
  const { style, print } = terminal;
  const { paths, tokenMadeIn, takeover } = gateway;
  const { url, bind } = facts;
  print(`${style.bold(`Chela ${VERSION}`)} listens on ${url}${bind === "loopback" ? "" : ` (bind: ${bind})`}`);
  for (const line of pageLines(gateway, terminal, url)) print(line);
  print("Talk:   type `chela chat` in another terminal");
  if (gateway.homePort)
    print(`Home:   http://127.0.0.1:${gateway.homePort}/api/sessions/home, with OPENCLAW_CLI_SECRET`);
  if (gateway.fingerprint)
    print(`TLS:    own certificate; elsewhere, set gateway.remote.tlsFingerprint to ${gateway.fingerprint}`);
  for (const line of tailscaleLines(gateway)) print(line);
  print(`State:  ${paths.stateDir}`);
  if (tokenMadeIn) print(`Token:  made one, kept in ${tokenMadeIn}`);
  for (const line of takeover ? takeoverLines(takeover) : []) print(line);
  for (const line of configLines(gateway)) print(style.yellow(line));
  print(`Model:  ${await describeModel(gateway)}`);
}

/** Only a person who looks on gets a code: what is not read on a screen may be kept in some log. */
function pageLines(gateway: RunningGateway, { isInteractive }: Terminal, url: string): string[] {
  const { enabled, basePath } = pageSettings(gateway.config.current(), gateway.paths);
  if (!enabled) return [];
  if (!isInteractive) return [`Page:   ${url}${basePath}/ (to open it, type \`chela dashboard\`)`];
  const link = pageLink(url, { basePath, code: gateway.accessCode() });
  return [`Open:   ${link}`, "        works once, within 10 minutes; `chela dashboard` makes another"];
}

/** Tailscale is the owner's to run; the setting only says which rules hold. */
function tailscaleLines({ config, port }: RunningGateway): string[] {
  const mode = config.current().gateway?.tailscale?.mode;
  if (mode !== "serve" && mode !== "funnel") return [];
  return [`Serve:  type \`tailscale ${mode} --bg ${port}\`; Chela does not run Tailscale by itself`];
}

function configLines({ config, paths }: RunningGateway): string[] {
  const split = splitConfigNotice(paths);
  return [...fileLines(config), ...(split ? [`Config: ${split}`] : []), ...remoteLines(config)];
}

function remoteLines(config: RunningGateway["config"]): string[] {
  const { mode, remote } = config.current().gateway ?? {};
  if (mode !== "remote") return [];
  const where = remote?.url ? `talk to ${remote.url}` : "look for a gateway elsewhere";
  return [
    `Config: gateway.mode is "remote", so commands such as \`chela chat\` ${where} and not to this gateway.`,
    "        `chela config set gateway.mode local` changes that",
  ];
}

function fileLines(config: RunningGateway["config"]): string[] {
  const { source, exists, issues, path } = config.snapshot();
  const unused = unusedSentence(config.notUsedYet());
  if (!exists || source === "file") return unused ? [`Config: ${unused}`] : [];
  const used = source === "last-good" ? "the last version that worked is used" : "built-in settings are used";
  return [`Config: ${path} is broken, so ${used}.`, ...issues.map((issue) => `        ${issueSentence(issue)}`)];
}

/** Asked after the door is open: looking for servers on this machine takes a moment. */
async function describeModel(gateway: RunningGateway): Promise<string> {
  try {
    const { model, source } = await gateway.defaultModel();
    return `${model.provider}/${model.id} (${source})`;
  } catch (error) {
    return `none that works: ${error instanceof Error ? error.message : String(error)}`;
  }
}
