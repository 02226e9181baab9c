// Services of the house: what runs by itself, opened and started in the order of the contributions and ended in reverse.
import { OneAtATime, type Contribution, type Logger, type RunningService, type Service } from "@chela/sdk";
import { lazy, type Lazy } from "../../base/lazy.ts";

/** A service that is also asked for by others. */
export interface LazyService<T> extends Lazy<T> {
  /** When what an earlier process left is under way: for those who come from outside. */
  whenReady(): Promise<T>;
}

type Ending = "stop" | "leave" | "close";

interface Opened {
  /** The part it belongs to. */
  readonly part: string;
  readonly service: RunningService;
  isStarted: boolean;
}

export class Services<House extends { readonly log: Logger }> {
  readonly #house: House;
  readonly #parts: ReadonlyArray<Contribution<House>>;
  /** In the order of the parts; those of one part as they were opened. */
  #opened: readonly Opened[] = [];
  /** Those that are open. */
  readonly #sources = new Set<Service<House>>();
  readonly #oneAtATime = new OneAtATime();
  readonly #ready = Promise.withResolvers<void>();
  #isStarted = false;
  #ended = new Set<Ending>();

  constructor(house: House, parts: ReadonlyArray<Contribution<House>>) {
    this.#house = house;
    this.#parts = parts;
  }

  /** When what an earlier process left is under way, or will not be any more. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** A service of this part that is opened by whoever needs it first; it is started and ended with all others. */
  lazily<T extends RunningService>(part: string, open: () => Promise<T>): LazyService<T> {
    const opened = lazy(async () => {
      const service = await open();
      await this.#add(part, service);
      return service;
    });
    const whenReady = async (): Promise<T> => {
      await this.ready;
      return opened();
    };
    return Object.assign(opened, { whenReady });
  }

  /** Opens what is needed and not open yet. */
  open(): Promise<void> {
    return this.#oneAtATime.run("open", async () => {
      for (const { id, services = [] } of this.#parts)
        for (const source of services) if (!this.#sources.has(source)) await this.#openIfNeeded(id, source);
    });
  }

  /** From here on what is opened later is started at once. */
  async start(): Promise<void> {
    for (const { id } of this.#parts) for (const one of this.#of(id)) await start(one);
    this.#isStarted = true;
    // Opened meanwhile, by parts behind them.
    for (const one of this.#opened) await start(one);
    this.#ready.resolve();
  }

  configured(changed: readonly string[]): void {
    for (const { service } of this.#opened) service.configured?.(changed);
    if (!this.#isStarted || this.#ended.size > 0) return;
    this.open().catch((error: unknown) =>
      this.#house.log.error("what the configuration asks for could not be started", { error: String(error) }),
    );
  }

  /** Nothing more begins by itself. */
  async stop(): Promise<void> {
    this.#ready.resolve();
    await this.#end("stop");
  }

  /** What still runs is left to the next start. */
  async leave(): Promise<void> {
    await this.#end("leave");
  }

  /** Everything that is open; also of a start that failed on the way. */
  async close(): Promise<void> {
    await this.stop();
    await this.leave();
    await this.#end("close");
  }

  async #openIfNeeded(part: string, source: Service<House>): Promise<void> {
    if (source.isNeeded && !(await source.isNeeded(this.#house))) return;
    await this.#add(part, await source.open(this.#house));
    this.#sources.add(source);
  }

  async #add(part: string, service: RunningService): Promise<void> {
    if (this.#opened.some((one) => one.service === service)) return;
    const one: Opened = { part, service, isStarted: false };
    const place = (other: Opened): number => this.#parts.findIndex(({ id }) => id === other.part);
    this.#opened = [...this.#opened, one].sort((a, b) => place(a) - place(b));
    if (this.#isStarted && this.#ended.size === 0) await start(one);
  }

  #of(part: string): readonly Opened[] {
    return this.#opened.filter((one) => one.part === part);
  }

  /** Once for each phase. One that fails does not keep the others from it. */
  async #end(phase: Ending): Promise<void> {
    if (this.#ended.has(phase)) return;
    this.#ended.add(phase);
    for (const { part, service } of this.#opened.toReversed()) {
      try {
        await service[phase]?.();
      } catch (error) {
        this.#house.log.error("a part of the gateway did not stop as it should", { part, phase, error: String(error) });
      }
    }
  }
}

async function start(one: Opened): Promise<void> {
  if (one.isStarted) return;
  one.isStarted = true;
  await one.service.start?.();
}
