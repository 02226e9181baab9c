// Fuzzes what opens a sandbox a little: folders bound into it, hosts it may reach, and what comes out of it.
import type { IncomingMessage } from "node:http";
import { sep } from "node:path";
import { readBinds } from "../../packages/gateway/src/rooms/sandbox/binds.ts";
import { readControlLines } from "../../packages/gateway/src/rooms/sandbox/bubblewrap/read-control-lines.ts";
import { readFrames } from "../../packages/gateway/src/rooms/sandbox/docker/exec-frames.ts";
import { decideHost, readEntry } from "../../packages/gateway/src/rooms/sandbox/proxy/allow-list.ts";
import { readPage, readTunnel } from "../../packages/gateway/src/rooms/sandbox/proxy/read-request.ts";
import { hashOf } from "../random.ts";
import { joinParts, promise, splitParts, type Target } from "../target.ts";

const CLOSED = ["/etc", "/proc", "/sys", "/dev", "/root", "/run", "/home/me/state", "/boot"];
const RESERVED = ["/etc", "/proc", "/sys", "/dev", "/usr", "/bin", "/tmp", "/workspace"];

const sandboxBinds: Target = {
  name: "sandbox-binds",
  promises:
    "A bind is refused, or comes from a folder near the workspace and covers nothing that belongs to the sandbox.",
  kind: "text",
  seeds: () => [
    "/home/me/desk/data:/data:ro",
    "/home/me/desk:/x",
    "/etc:/x:ro",
    "/home/me/desk/../state:/x:rw",
    "/home/me/desk/a:/tmp/x",
    "/:/host",
    "/home/me/desk/docker.sock:/s",
    "relative:/x",
  ],
  words: "/ .. . : ro rw /etc /proc /dev // /usr /workspace /home/me /home/me/desk /home/me/state docker.sock ,z".split(
    " ",
  ),
  maxLength: 300,
  open: () => ({
    run(input) {
      const [mount] = readBinds([input], {
        near: ["/home/me/desk"],
        mayComeFromAnywhere: false,
        mayCoverReserved: false,
        reserved: ["/workspace"],
        closed: ["/home/me/state"],
        realPath: (path) => plainly(path),
      });
      if (!mount) return;
      const { outside, inside } = mount;
      promise(isBelow("/home/me/desk", outside), () => `${outside} is not near the workspace`);
      promise(
        !CLOSED.some((closed) => isBelow(closed, outside) || isBelow(outside, closed)),
        () => `${outside} is closed`,
      );
      promise(inside.startsWith("/") && plainly(inside) === inside, () => `${inside} is no plain place`);
      promise(!RESERVED.some((place) => isBelow(place, inside)), () => `${inside} belongs to the sandbox`);
    },
  }),
};

/** By itself, so that it does not repeat a mistake: dots and double slashes taken out one by one. */
function plainly(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `/${names.join("/")}`;
}

function isBelow(parent: string, path: string): boolean {
  return path === parent || path.startsWith(parent.endsWith(sep) ? parent : parent + sep);
}

const sandboxProxy: Target = {
  name: "sandbox-proxy",
  promises:
    "A request through the proxy is refused or names one host and port, in the spelling that is compared with the list; a host that is not in the list is not reached.",
  kind: "text",
  seeds: () => [
    joinParts("CONNECT", "example.com:443", "example.com:443"),
    joinParts("GET", "http://example.com/a?b", "example.com"),
    joinParts("POST", "http://api.example.com:8080/", "api.example.com:8080"),
    joinParts("CONNECT", "[::1]:443", "[::1]:443"),
    joinParts("GET", "http://evil.org/", "example.com"),
  ],
  words:
    "example.com .example.com evil.org : @ [ ] :443 http:// %2e . 。 xn-- * *. / # ? \\ 0 127.1 EXAMPLE.COM \t".split(
      " ",
    ),
  maxLength: 400,
  open() {
    const entries = ["example.com", "*.example.com", "api.example.com:8080"].flatMap((entry) => readEntry(entry) ?? []);
    return {
      run(input) {
        const [method, url, host] = splitParts(input, 3);
        const request = { method, url, headers: { host }, rawHeaders: ["Host", host] } as unknown as IncomingMessage;
        const page = readPage(request);
        for (const wanted of [readTunnel(request), page]) {
          if ("status" in wanted) continue;
          promise(wanted.port > 0 && wanted.port < 65_536, () => `the port is ${wanted.port}`);
          const isAllowed = decideHost(wanted.host, wanted.port, entries).kind === "allowed";
          const isOurs = /^(?:[^.]+\.)*example\.com$/.test(wanted.host);
          promise(!isAllowed || isOurs, () => `${wanted.host} is reached`);
        }
        if (!("status" in page)) promise(page.path.startsWith("/"), () => `the path is ${page.path}`);
        const written = readEntry(host);
        if (written)
          promise(written.host === written.host.toLowerCase() && !/[\s/@]/.test(written.host), "an entry is no host");
      },
    };
  },
};

const sandboxStreams: Target = {
  name: "sandbox-streams",
  promises: "Reports and output of a sandbox are the same however their bytes are torn.",
  kind: "bytes",
  seeds: () => [
    "ready\nopen a-1\nstart a-1 17\nend a-1 0\n",
    "\x01\0\0\0\0\0\0\x02hi\x02\0\0\0\0\0\0\x01e",
    "forwarding\nend x 256\n",
  ],
  words: ["ready\n", "end a ", "start ", "\n", "\x01\0\0\0\0\0\0\x01", "\xff\xff\xff\xff"],
  maxLength: 1000,
  open: () => ({
    run(input) {
      const bytes = Buffer.from(input, "latin1");
      const size = 1 + (hashOf(input) % 11);
      for (const read of [reportsIn, outputIn]) {
        const [whole, torn] = [read(bytes, bytes.length || 1), read(bytes, size)];
        promise(whole === torn, () => `torn into pieces of ${size}, ${whole} becomes ${torn}`);
      }
    },
  }),
};

function reportsIn(bytes: Buffer, size: number): string {
  const reports: unknown[] = [];
  const read = readControlLines((report) => reports.push(report));
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  return JSON.stringify(reports);
}

function outputIn(bytes: Buffer, size: number): string {
  const said = { out: "", err: "" };
  const read = readFrames((kind, piece) => (said[kind] += piece.toString("latin1")));
  try {
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  } catch (error) {
    // Where it ends with damage depends on how much came before.
    if (error instanceof TypeError && error.message.includes("damaged")) return "damaged";
    throw error;
  }
  return JSON.stringify(said);
}

export const sandbox: readonly Target[] = [sandboxBinds, sandboxProxy, sandboxStreams];
