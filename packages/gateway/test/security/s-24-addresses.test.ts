// S-24: whatever can be written of an address that is not public, no way out of the program leads there.
import { mkdtempSync, rmSync } from "node:fs";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { GatewayError } from "@chela/sdk";
import { createFakeClock } from "@chela/sdk/testing";
import { createGuardedFetch } from "../../src/base/http/guarded-fetch.ts";
import { createSafeFetch } from "../../src/base/http/safe-fetch.ts";
import {
  openSmallInternet,
  type SmallInternet,
  type SmallInternetOptions,
} from "../../src/base/http/safe-fetch.test-support.ts";
import { createFilteringProxy } from "../../src/rooms/sandbox/proxy/filtering-proxy.ts";
import { INNER_ANSWERS, INNER_HOSTS, REFUSED_ADDRESSES } from "../support/security/address-corpus.ts";
import { openRebindingDns } from "../support/security/rebinding-dns.ts";
import { countCases } from "../support/security/security-cases.ts";

const PUBLIC = "93.184.216.34";
const REDIRECTS = [301, 302, 303, 307, 308];
let cases = 0;
afterAll(() => countCases("S-24", cases));

/** A way out: "refused", or what came back. */
type Go = (url: string) => Promise<string>;

interface Stage extends AsyncDisposable {
  readonly internet: SmallInternet;
  readonly go: Go;
}

interface StageOptions extends SmallInternetOptions {
  readonly answer?: RequestListener;
  readonly resolve?: SmallInternet["ways"]["resolve"];
  /** What a sandbox may reach. */
  readonly hosts?: readonly string[];
}

async function openStage(kind: Way, options: StageOptions): Promise<Stage> {
  const internet = await openSmallInternet(options.answer ?? ((_, response) => response.end("inside")), options);
  const ways = { ...internet.ways, ...(options.resolve ? { resolve: options.resolve } : {}) };
  const parts = { clock: createFakeClock(), ...ways };
  if (kind === "the fetch of tools") return stageOf(internet, fetchBy(createSafeFetch(parts)));
  if (kind === "the fetch of channels")
    return stageOf(internet, fetchBy(createGuardedFetch({ ...parts, trusted: () => [] })));
  const folder = mkdtempSync(join(tmpdir(), "chela-proxy-"));
  const log = { child: () => log, log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const hosts = () => options.hosts ?? ["*.example", "*.example.com"].flatMap((host) => [host, `${host}:8080`]);
  const proxy = await createFilteringProxy({ ...parts, log, hosts, listenPath: join(folder, "proxy.sock") });
  const go = kind === "the tunnel of sandboxes" ? tunnelThrough(proxy.socketPath) : pageThrough(proxy.socketPath);
  return stageOf(internet, go, async () => {
    await proxy.close();
    rmSync(folder, { recursive: true, force: true });
  });
}

function stageOf(internet: SmallInternet, go: Go, close = async (): Promise<void> => {}): Stage {
  const dispose = async (): Promise<void> => {
    await close();
    await internet[Symbol.asyncDispose]();
  };
  return { internet, go, [Symbol.asyncDispose]: dispose };
}

function fetchBy(fetch: (url: string) => Promise<{ readonly status: number }>): Go {
  return (url) =>
    fetch(url).then(
      ({ status }) => `status ${status}`,
      (error: unknown) => (isRefusal(error) ? "refused" : String(error)),
    );
}

/** What a redirect leads to may be no address at all. */
const isRefusal = (error: unknown): boolean =>
  GatewayError.is(error) && (error.code === "FETCH_REFUSED" || error.message.endsWith("that is no address"));

const AUTHORITY = /^https?:\/\/(\[[^\]]*\]|[^/:]*)(?::(\d+))?/;
const tunnelThrough = (path: string): Go => {
  return (url) => {
    const [, host = "", port = "443"] = AUTHORITY.exec(url) ?? [];
    return askProxy(path, `CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
  };
};
const pageThrough = (path: string): Go => {
  return (url) => {
    const [, host = "", port] = AUTHORITY.exec(url) ?? [];
    const named = port === undefined || port === "80" ? host : `${host}:${port}`;
    return askProxy(path, `GET ${url} HTTP/1.1\r\nHost: ${named}\r\nConnection: close\r\n\r\n`);
  };
};

function askProxy(path: string, request: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect({ path });
    socket.on("data", (part) => {
      text += String(part);
      // A tunnel stays open; all that matters is whether there is one.
      if (text.startsWith("HTTP/1.1 200")) socket.destroy();
    });
    socket.on("error", () => undefined);
    socket.once("close", () => resolve(/^HTTP\/1\.1 (?:403|400|405|501) /.test(text) ? "refused" : text.slice(0, 40)));
    socket.write(request);
  });
}

const WAYS = [
  "the fetch of tools",
  "the fetch of channels",
  "the tunnel of sandboxes",
  "the pages of sandboxes",
] as const;
type Way = (typeof WAYS)[number];
const FETCHES = WAYS.slice(0, 2);

const AT_ONCE = 24;

async function findReached(urls: readonly string[], go: Go): Promise<string[]> {
  cases += urls.length;
  const reached: string[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < urls.length) {
      const url = urls[next++] as string;
      const outcome = await go(url);
      if (outcome !== "refused") reached.push(`${JSON.stringify(url)}: ${outcome}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return reached;
}

test("the corpus is as large as it says, and a public address is none of it", async () => {
  expect(INNER_HOSTS.length).toBeGreaterThan(600);
  for (const kind of WAYS) {
    await using stage = await openStage(kind, {});
    expect([kind, await stage.go("http://www.example.com:8080/")]).toEqual([kind, expect.stringMatching(/200/)]);
    expect(stage.internet.dialled).toEqual([`${PUBLIC}:8080`]);
  }
});

describe.each(WAYS)("%s", (kind) => {
  test("reaches no address that is written down", async () => {
    await using stage = await openStage(kind, {});
    const urls =
      kind === "the tunnel of sandboxes" ? INNER_HOSTS.map((host) => `https://${host}:443/`) : REFUSED_ADDRESSES;
    // What Node does not take for a request line arrives nowhere.
    const sendable = kind.endsWith("sandboxes") ? urls.filter((url) => /^[\x21-\x7e]+$/.test(url)) : urls;
    expect(await findReached(sendable, stage.go)).toEqual([]);
    expect(stage.internet.dialled).toEqual([]);
  });

  test("reaches no address a name leads to, alone or beside a public one", async () => {
    const names = Object.fromEntries(
      INNER_ANSWERS.flatMap((address, index): Array<[string, readonly string[]]> => [
        [`one${index}.example`, [address]],
        [`first${index}.example`, [address, PUBLIC]],
        [`last${index}.example`, [PUBLIC, "2606:4700:4700::1111", address]],
      ]),
    );
    const hosts = Object.keys(names);
    await using stage = await openStage(kind, { names, hosts });
    expect(
      await findReached(
        hosts.map((host) => `http://${host}:80/`),
        stage.go,
      ),
    ).toEqual([]);
    expect(stage.internet.dialled).toEqual([]);
  });

  test("goes where a name led when it was checked, though a name server says something else a moment later", async () => {
    const inner = INNER_ANSWERS.slice(0, AT_ONCE);
    // Public the first time a name is asked for, inside every time after.
    await using dns = await openRebindingDns((name, times) => {
      const [, index] = /^rebind(\d+)\.example$/.exec(name) ?? [];
      return times === 0 ? [PUBLIC] : [inner[Number(index)] ?? "127.0.0.1"];
    });
    const hosts = inner.map((_, index) => `rebind${index}.example`);
    await using stage = await openStage(kind, { resolve: (host) => dns.resolve(host), hosts });
    const outcomes = await Promise.all(hosts.map((host) => stage.go(`http://${host}:80/`)));
    expect(outcomes.filter((outcome) => !outcome.includes("200"))).toEqual([]);
    expect([...new Set(stage.internet.dialled)]).toEqual([`${PUBLIC}:80`]);
    expect(dns.asked.toSorted()).toEqual(hosts.toSorted());
    const before = stage.internet.dialled.length;
    expect(
      await findReached(
        hosts.map((host) => `http://${host}:80/`),
        stage.go,
      ),
    ).toEqual([]);
    expect(stage.internet.dialled.length).toBe(before);
  });
});

describe.each(FETCHES)("%s", (kind) => {
  test("follows no redirect to any of them", async () => {
    const targets = REFUSED_ADDRESSES.filter((url) => /^[\x20-\x7e]+$/.test(url.trim()) && !url.startsWith(" "));
    await using stage = await openStage(kind, {
      answer: (request, response) => {
        const [, index] = /^\/(\d+)$/.exec(request.url ?? "") ?? [];
        const status = REDIRECTS[Number(index) % REDIRECTS.length] ?? 302;
        response.writeHead(status, { location: targets[Number(index)] ?? "/" }).end();
      },
    });
    // Without a host an address means the one that was just asked, which is public; those lead round in circles.
    const starts = targets.map((_, index) => `http://start.example/${index}`);
    expect(await findReached(starts, stage.go)).toEqual([]);
    expect(new Set(stage.internet.dialled)).toEqual(new Set([`${PUBLIC}:80`]));
    expect(stage.internet.arrived.filter((line) => !line.startsWith("GET start.example/"))).toEqual([]);
  });

  test("looks again at a name that sends it to itself", async () => {
    await using dns = await openRebindingDns((_, times) => (times === 0 ? [PUBLIC] : ["169.254.169.254"]));
    await using stage = await openStage(kind, {
      resolve: (host) => dns.resolve(host),
      answer: (_, response) => response.writeHead(302, { location: "http://loop.example/latest/meta-data/" }).end(),
    });
    expect(await stage.go("http://loop.example/")).toBe("refused");
    expect(stage.internet.dialled).toEqual([`${PUBLIC}:80`]);
  });
});
