// Room for bodies whose sender is not believed yet: how long one may take, and how many bytes may be under way at once.
import type { IncomingMessage } from "node:http";
import type { Clock } from "@chela/sdk";
import type { ClientAddress } from "@chela/sdk";
import { limitKeyOf } from "../auth/index.ts";
import { readRawBody, refusedBody } from "../../base/http/request.ts";

/** Whoever sends slower than this keeps a connection for nothing. */
const PATIENCE_MS = 30_000;
const MOST_OF_ONE_ADDRESS = 4 * 1024 * 1024;
const MOST_IN_ALL = 16 * 1024 * 1024;
const TRY_AGAIN = { "retry-after": "5" };

interface Arriving {
  readonly from: string;
  bytes: number;
  readonly stopped: AbortController;
}

export class BodyRoom {
  readonly #clock: Clock;
  /** Oldest first. */
  readonly #arriving = new Set<Arriving>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws a refusal when it is too long, takes too long, or has to make room for others. */
  async read(request: IncomingMessage, { ip }: Pick<ClientAddress, "ip">, maxBytes: number): Promise<Buffer> {
    const stopped = new AbortController();
    const body: Arriving = { from: limitKeyOf(ip), bytes: 0, stopped };
    this.#arriving.add(body);
    const cancel = this.#clock.after(PATIENCE_MS, () => stopped.abort(refusedBody(408, "Request body timeout")));
    request.on("data", (part: Buffer) => {
      body.bytes += part.length;
      this.#makeRoom(body.from);
    });
    try {
      return await readRawBody(request, maxBytes, stopped.signal);
    } finally {
      cancel();
      this.#arriving.delete(body);
    }
  }

  /** The oldest goes: who means it is done in a moment, and who wants to fill the room takes their time. A single one may stay. */
  #makeRoom(from: string): void {
    const neighbours = [...this.#arriving].filter((body) => body.from === from);
    this.#letGo(neighbours, MOST_OF_ONE_ADDRESS, 429, "Too many bytes are under way from this address");
    this.#letGo([...this.#arriving], MOST_IN_ALL, 503, "Too many bytes are under way from everybody together");
  }

  #letGo(bodies: readonly Arriving[], most: number, status: number, why: string): void {
    let sum = bodies.reduce((bytes, body) => bytes + body.bytes, 0);
    for (const body of bodies.slice(0, -1)) {
      if (sum <= most) return;
      sum -= body.bytes;
      this.#arriving.delete(body);
      body.stopped.abort(refusedBody(status, `${why}. Send it again later.`, TRY_AGAIN));
    }
  }
}
