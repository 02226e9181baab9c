// Writes the catalogue of known models from a maintained public list. `--check` only tells whether it has drifted.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The list is inside a package whose dependencies weigh 139 MB, so only its tarball is fetched, and not installed. */
const PACKAGE = "@earendil-works/pi-ai";
const VERSION = "1.5.0";
const LICENCE = "MIT";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const cache = join(root, "node_modules/.cache/model-catalog", VERSION);
const target = join(root, "packages/gateway/src/rooms/models/catalog-data.json");

/** Our name of a provider, and the list's. */
const PROVIDERS: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  openai: "openai",
  google: "google",
  openrouter: "openrouter",
  groq: "groq",
  mistral: "mistral",
  xai: "xai",
  deepseek: "deepseek",
  moonshot: "moonshotai",
  zai: "zai",
  cerebras: "cerebras",
  together: "together",
  fireworks: "fireworks",
  minimax: "minimax",
  qwen: "qwen-token-plan",
  "amazon-bedrock": "amazon-bedrock",
  "github-copilot": "github-copilot",
  "openai-codex": "openai-codex",
};

export interface ListedModel {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly reasoning: boolean;
  readonly input: readonly string[];
  readonly cost: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
  readonly contextWindow: number;
  readonly maxTokens: number;
  readonly compat?: { readonly thinkingFormat?: string; readonly supportsReasoningEffort?: boolean };
}

/** Whether the list lies on this machine, so that the catalogue can be made without a network. */
export function isListHere(): boolean {
  return existsSync(cache);
}

export function isCatalogCurrent(): boolean {
  return readFileSync(target, "utf8") === renderCatalog(readList());
}

/** By provider, one model per line: id, name, marks, context, output, then prices per million tokens. */
export function renderCatalog(list: Readonly<Record<string, readonly ListedModel[]>>): string {
  const parts = Object.entries(list).map(([provider, models]) => {
    const rows = models.filter((model) => isWanted(provider, model)).map((model) => toRow(provider, model));
    return [provider, rows];
  });
  const about = `Models and prices from ${PACKAGE} ${VERSION} (licence ${LICENCE}). Written by scripts/model-catalog.ts: do not edit.`;
  return `${JSON.stringify({ about, models: Object.fromEntries(parts) }, null, 2)}\n`;
}

/** Only what answers in a conversation right away, under the provider's own names. */
function isWanted(provider: string, { type, id, input }: ListedModel): boolean {
  if (type !== "chat" || !input.includes("text") || /[|`\\$\n]/.test(id)) return false;
  if (provider === "qwen") return id.startsWith("qwen");
  return !/^~|:batch$|deep-research|computer-use/.test(id);
}

function toRow(provider: string, model: ListedModel): string {
  const { cost } = model;
  const prices = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite];
  // Of these the list has plans, where single tokens cost nothing; what "auto" costs depends on what it picks.
  const depends = ["qwen", "openai-codex"].includes(provider) || /(^|\/)auto\b/.test(model.id);
  const isCertain = !depends && prices.every((price) => price >= 0);
  const name = model.name.replace(/[^ -~]|[|`\\$]| \(latest\)/g, "");
  const row = [model.id, name, marksOf(model), model.contextWindow, model.maxTokens];
  return [...row, ...(isCertain ? prices : [])].join("|");
}

/** r: thinks, i: sees images, z and q: thinking is switched as at Z.AI or Qwen, n: takes no effort. */
function marksOf({ reasoning, input, compat }: ListedModel): string {
  const format = compat?.thinkingFormat;
  return [
    reasoning ? "r" : "",
    input.includes("image") ? "i" : "",
    format === "zai" || format === "deepseek" ? "z" : format === "qwen" ? "q" : "",
    compat?.supportsReasoningEffort === false ? "n" : "",
  ].join("");
}

function readList(): Record<string, ListedModel[]> {
  return Object.fromEntries(
    Object.entries(PROVIDERS).map(([ours, theirs]) => {
      const path = join(cache, "package/dist/providers/data", `${theirs}.json`);
      const byApi = JSON.parse(readFileSync(path, "utf8")) as Record<string, Record<string, ListedModel>>;
      return [ours, Object.values(byApi).flatMap((models) => Object.values(models))];
    }),
  );
}

function fetchList(): void {
  const unfinished = `${cache}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", `${PACKAGE}@${VERSION}`, "--json", "--pack-destination", unfinished], {
      encoding: "utf8",
    }),
  ) as { filename: string }[];
  execFileSync("tar", ["-xzf", join(unfinished, packed?.filename ?? ""), "-C", unfinished]);
  rmSync(join(unfinished, packed?.filename ?? ""));
  renameSync(unfinished, cache);
}

if (import.meta.main) {
  if (!isListHere()) fetchList();
  const isOnlyAsked = process.argv.includes("--check");
  if (!isOnlyAsked) writeFileSync(target, renderCatalog(readList()));
  const isCurrent = isCatalogCurrent();
  console.log(
    isCurrent ? "The catalogue is current." : "The catalogue has drifted: run `node scripts/model-catalog.ts`.",
  );
  process.exit(isCurrent ? 0 : 1);
}
