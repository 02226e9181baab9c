// Client of a ClawHub registry: searching, what is known of a skill, and its files.
import * as z from "zod";
import { GatewayError, once, type Parsed } from "@chela/sdk";
import { parseJson } from "@chela/sdk/base";
import { readArchive, type Files } from "./archive.ts";

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const Found = once(() =>
  z.looseObject({
    slug: z.string(),
    displayName: z.string().nullish(),
    summary: z.string().nullish(),
    version: z.string().nullish(),
    score: z.number().nullish(),
    ownerHandle: z.string().nullish(),
    updatedAt: z.number().nullish(),
  }),
);
export type RegistryHit = Parsed<typeof Found>;

const Results = once(() => z.looseObject({ results: z.array(Found()) }));
const Detail = once(() =>
  z.looseObject({
    skill: z.looseObject({ slug: z.string(), displayName: z.string().nullish(), summary: z.string().nullish() }),
    latestVersion: z.looseObject({ version: z.string() }).nullish(),
    owner: z.looseObject({ handle: z.string().nullish() }).nullish(),
  }),
);
export type RegistryDetail = Parsed<typeof Detail>;

/** Of skills whose files lie on GitHub. */
const Elsewhere = once(() => z.looseObject({ archiveUrl: z.string(), path: z.string().nullish() }));

const SLUG = /^(?:@?[a-z0-9][a-z0-9-]{0,63}\/)?[a-z0-9][a-z0-9-]{0,99}$/;
const MOST_ANSWER = 60 * 1024 * 1024;

export interface Registry {
  search(query: string, limit: number): Promise<readonly RegistryHit[]>;
  detail(slug: string): Promise<RegistryDetail>;
  download(slug: string, version: string | undefined): Promise<Files>;
}

export function createRegistry(base: string, fetch: Fetch): Registry {
  const ask = async (path: string, query: Readonly<Record<string, string>> = {}): Promise<Response> => {
    const url = new URL(`api/v1/${path}`, base.endsWith("/") ? base : `${base}/`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const answer = await fetch(url, { headers: { accept: "application/json, application/zip" } });
    if (answer.ok) return answer;
    throw refusal(answer.status, await bytesOf(answer, 2000), answer.headers.get("retry-after"));
  };
  const read = async <S extends z.ZodType>(schema: S, answer: Response): Promise<z.output<S>> => {
    const parsed = schema.safeParse(parseJson((await bytesOf(answer)).toString("utf8")));
    if (parsed.success) return parsed.data;
    throw new GatewayError("SKILL_REQUEST", `The registry ${base} answered what is not understood.`);
  };
  return {
    search: async (q, limit) => (await read(Results(), await ask("search", { q, limit: String(limit) }))).results,
    detail: async (slug) => read(Detail(), await ask(`skills/${encodeURIComponent(checked(slug))}`)),
    async download(slug, version) {
      const answer = await ask("download", { slug: checked(slug), ...(version ? { version } : {}) });
      if (!/json/.test(answer.headers.get("content-type") ?? "")) return readArchive(await bytesOf(answer));
      const { archiveUrl, path } = await read(Elsewhere(), answer);
      const packed = await fetch(archiveUrl);
      if (!packed.ok) throw refusal(packed.status, Buffer.alloc(0), null);
      return below(readArchive(await bytesOf(packed)), path ?? "");
    },
  };
}

function checked(slug: string): string {
  if (SLUG.test(slug)) return slug;
  throw new GatewayError("SKILL_REQUEST", `${JSON.stringify(slug.slice(0, 100))} is no name of a skill in a registry.`);
}

/** Archives of repositories hold one folder with everything. */
function below(files: Files, path: string): Files {
  const wanted = path.replace(/^\/+|\/+$/g, "");
  const inside = [...files].flatMap(([name, file]) => {
    const rest = name.split("/").slice(1).join("/");
    if (wanted === "") return [[rest, file] as const];
    return rest.startsWith(`${wanted}/`) ? [[rest.slice(wanted.length + 1), file] as const] : [];
  });
  return new Map(inside);
}

async function bytesOf(answer: Response, most = MOST_ANSWER): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of answer.body ?? []) {
    parts.push(part as Uint8Array);
    length += (part as Uint8Array).length;
    if (length > most) throw new GatewayError("SKILL_REQUEST", "The registry sends more than a skill can be.");
  }
  return Buffer.concat(parts);
}

function refusal(status: number, said: Buffer, retryAfter: string | null): GatewayError {
  const why =
    status === 404
      ? "The registry knows no such skill."
      : status === 410
        ? "This skill was taken out of the registry."
        : status === 429
          ? `The registry wants to be left alone${retryAfter ? ` for ${retryAfter} seconds` : " for a while"}.`
          : `The registry answered with status ${status}.`;
  const text = said.toString("utf8").replaceAll(/\s+/g, " ").trim().slice(0, 200);
  return new GatewayError("SKILL_REQUEST", text && !text.startsWith("<") ? `${why} It says: ${text}` : why);
}
