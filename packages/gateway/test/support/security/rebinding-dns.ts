// A name server of our own on loopback, that says something else each time it is asked for the same name.
import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { isIPv6 } from "node:net";

export interface RebindingDns extends AsyncDisposable {
  /** Each name it was asked for, in order. */
  readonly asked: string[];
  /** As the program would ask the operating system: all addresses of a name. */
  resolve(host: string): Promise<readonly string[]>;
}

const ADDRESS = 1;
const ADDRESS_V6 = 28;

/** `answer` is asked for every question; its addresses of the other family are left out. */
export async function openRebindingDns(
  answer: (name: string, times: number) => readonly string[],
): Promise<RebindingDns> {
  const asked: string[] = [];
  const times = new Map<string, number>();
  const server = createSocket("udp4");
  server.on("message", (query, from) => {
    const { name, kind, end } = readQuestion(query);
    const key = `${name} ${kind}`;
    const before = times.get(key) ?? 0;
    times.set(key, before + 1);
    if (kind === ADDRESS) asked.push(name);
    const wanted = answer(name, before).filter((address) => isIPv6(address) === (kind === ADDRESS_V6));
    server.send(writeAnswer(query.subarray(0, end), kind, wanted), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, "127.0.0.1", resolve));
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return {
    asked,
    async resolve(host) {
      const families = [resolver.resolve4(host), resolver.resolve6(host)].map((found) => found.catch(() => []));
      return (await Promise.all(families)).flat();
    },
    [Symbol.asyncDispose]: async () => {
      resolver.cancel();
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
}

function readQuestion(query: Buffer): { name: string; kind: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), kind: query.readUInt16BE(at + 1), end: at + 5 };
}

function writeAnswer(question: Buffer, kind: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, ...addresses.map((address) => writeRecord(kind, address))]);
}

/** Refers to the name of the question, and must not be remembered. */
function writeRecord(kind: number, address: string): Buffer {
  const bytes = kind === ADDRESS_V6 ? bytesOfV6(address) : Buffer.from(address.split(".").map(Number));
  const record = Buffer.alloc(12);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(kind, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(0, 6);
  record.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([record, bytes]);
}

function bytesOfV6(address: string): Buffer {
  // The platform writes every spelling in one way: eight groups, or fewer around "::".
  const { hostname } = new URL(`http://[${address}]/`);
  const [left = "", right] = hostname.slice(1, -1).split("::");
  const groups = (part: string): number[] =>
    part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16));
  const [head, tail] = [groups(left), groups(right ?? "")];
  const all = right === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of all.entries()) bytes.writeUInt16BE(group, index * 2);
  return bytes;
}
