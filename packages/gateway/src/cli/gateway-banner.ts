// What the gateway says when it is up: where it listens, who answers, where things are, how to go on.
import { join } from "node:path";
import { issueSentence } from "../config/room.ts";
import { TOKEN_FILE } from "../gateway-token.ts";
import type { RunningGateway } from "../main.ts";
import { VERSION } from "../version.ts";
import { readIfPresent } from "./known-settings.ts";
import type { Terminal } from "./terminal.ts";

export interface BannerFacts {
  /** Where the page and the command line reach it, such as http://127.0.0.1:18789 */
  readonly url: string;
  readonly bind: string;
  /** The file a new token was put into. */
  readonly tokenMadeIn: string | undefined;
}

export async function printBanner(gateway: RunningGateway, terminal: Terminal, facts: BannerFacts): Promise<void> {
  const { style, print } = terminal;
  const { config, paths } = gateway;
  const { url, bind, tokenMadeIn } = facts;
  print(`${style.bold(`Chela ${VERSION}`)} listens on ${url}${bind === "loopback" ? "" : ` (bind: ${bind})`}`);
  const { enabled = true, basePath = "" } = config.current().gateway?.controlUi ?? {};
  if (enabled) print(`Page:   ${url}/${basePath.replace(/^\/+|\/+$/g, "")}`);
  print(`State:  ${paths.stateDir}`);
  print(`Talk:   type \`chela chat\` in another terminal`);
  if (tokenMadeIn) print(`Token:  made one, kept in ${tokenMadeIn}`);
  for (const line of configLines(gateway)) print(style.yellow(line));
  print(`Model:  ${await describeModel(gateway)}`);
}

/** The two files a token may be put into, as they were before the start. */
export function readTokenFiles(stateDir: string, configPath: string): ReadonlyMap<string, string | undefined> {
  const paths = [configPath, join(stateDir, TOKEN_FILE)];
  return new Map(paths.map((path) => [path, readIfPresent(path)]));
}

/** The file that holds a token now and did not before. */
export function findMadeToken(
  gateway: RunningGateway,
  before: ReadonlyMap<string, string | undefined>,
): string | undefined {
  const { stateDir, configPath } = gateway.paths;
  const now = readTokenFiles(stateDir, configPath);
  const token = gateway.config.current().gateway?.auth?.token ?? now.get(join(stateDir, TOKEN_FILE))?.trim();
  if (!token) return undefined;
  return [...now].find(([path, text]) => text?.includes(token) && !before.get(path)?.includes(token))?.[0];
}

function configLines({ config }: RunningGateway): string[] {
  const { source, exists, issues, path } = config.snapshot();
  if (!exists || source === "file") return [];
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
