// A host for one account of a channel: it remembers what the channel did, and lets a test wait for it.
import type {
  AccountReport,
  ChannelEvent,
  ChannelHost,
  LinkStep,
  Received,
  WebhookAnswer,
  WebhookCall,
  WebhookReceiver,
} from "../channel.ts";
import type { Clock, Ids, Logger } from "../time.ts";

export interface FakeHost extends ChannelHost {
  /** Everything that was received, in order. */
  readonly events: readonly ChannelEvent[];
  readonly reported: Readonly<Partial<AccountReport>>;
  readonly links: readonly LinkStep[];
  readonly signs: { readonly count: number };
  /** The first event, earlier or later, that fits; each is given out once. */
  next(fits?: (event: ChannelEvent) => boolean): Promise<ChannelEvent>;
  /** What `receive` answers from now on; a rejection means that nothing could be written. */
  answer(how: (event: ChannelEvent) => Promise<Received>): void;
  /** Sends a request to what the channel serves. */
  call(call: Omit<WebhookCall, "query"> & { readonly query?: URLSearchParams }): Promise<WebhookAnswer>;
  /** What was remembered: hand it to the next host to play a restart. */
  readonly memory: Map<string, string>;
}

export interface FakeHostOptions {
  readonly directory: string;
  readonly account?: string;
  readonly memory?: Map<string, string>;
  readonly clock?: Clock;
}

const realClock: Clock = {
  now: () => Date.now(),
  steady: () => Math.floor(performance.now()),
  after(ms, task) {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

export function createFakeHost(options: FakeHostOptions): FakeHost {
  const events: ChannelEvent[] = [];
  const fresh: ChannelEvent[] = [];
  const waiting: Array<{ fits: (event: ChannelEvent) => boolean; resolve: (event: ChannelEvent) => void }> = [];
  const links: LinkStep[] = [];
  const routes = new Map<string, WebhookReceiver>();
  const memory = options.memory ?? new Map<string, string>();
  const signs = { count: 0 };
  let report: Partial<AccountReport> = {};
  let answer = async (_event: ChannelEvent): Promise<Received> => ({ kind: "accepted" });

  const take = (event: ChannelEvent): void => {
    const index = waiting.findIndex(({ fits }) => fits(event));
    const [found] = index < 0 ? [] : waiting.splice(index, 1);
    if (found) found.resolve(event);
    else fresh.push(event);
  };
  return {
    account: options.account ?? "default",
    clock: options.clock ?? realClock,
    ids: countingIds(),
    log: silentLog,
    directory: options.directory,
    events,
    links,
    signs,
    memory,
    get reported() {
      return report;
    },
    async receive(event) {
      events.push(event);
      const received = await answer(event);
      take(event);
      return received;
    },
    alive: () => void (signs.count += 1),
    report: (change) => void (report = { ...report, ...change }),
    link: (step) => void links.push(step),
    recall: async (name) => memory.get(name),
    remember: async (name, value) => void memory.set(name, value),
    serve(path, receiver) {
      routes.set(path, receiver);
      return { [Symbol.dispose]: () => void routes.delete(path) };
    },
    fetch: (url, init) => fetch(url, init),
    next(fits = () => true) {
      const index = fresh.findIndex(fits);
      const [found] = index < 0 ? [] : fresh.splice(index, 1);
      return found ? Promise.resolve(found) : new Promise((resolve) => waiting.push({ fits, resolve }));
    },
    answer: (how) => void (answer = how),
    async call({ query, ...call }) {
      const receiver = routes.get(call.path);
      if (!receiver) return { status: 404 };
      const { body, ...head } = { ...call, query: query ?? new URLSearchParams() };
      const early = receiver.answerHead(head);
      if (early) return early;
      return body.length > receiver.mostBytes
        ? { status: 413, body: JSON.stringify({ error: "Payload too large" }) }
        : receiver.answer({ ...head, body });
    },
  };
}

function countingIds(): Ids {
  let count = 0;
  const next = (): string => (++count).toString(16);
  return {
    uuid: () => `00000000-0000-4000-8000-${next().padStart(12, "0")}`,
    entryId: () => next().padStart(8, "0"),
    secretHex: (bytes) => next().padStart(bytes * 2, "0"),
  };
}

const silentLog: Logger = {
  log() {},
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};
