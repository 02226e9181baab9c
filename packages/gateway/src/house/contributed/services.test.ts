// Services in the order of their parts, whoever opens them; ended in reverse, once, whatever one of them does.
import { describe, expect, it } from "vitest";
import type { Contribution, Logger, RunningService, Service } from "@chela/sdk";
import { Services } from "./services.ts";

/** Whom others open, too. */
const never = (): Promise<RunningService> => Promise.reject(new Error("nobody made it"));

function openWorld() {
  const steps: string[] = [];
  const log = { error: (text: string, fields: object) => void steps.push(`${text} ${JSON.stringify(fields)}`) };
  const world = { steps, needed: new Set(["first", "second"]), log: log as unknown as Logger, opened: never };
  const phase = (id: string, name: string) => async (): Promise<void> => {
    await Promise.resolve();
    steps.push(`${name} ${id}`);
  };
  const running = (id: string): RunningService => ({
    start: phase(id, "start"),
    stop: phase(id, "stop"),
    leave: phase(id, "leave"),
    close: phase(id, "close"),
  });
  const service = (id: string, over: RunningService = {}): Service<typeof world> => ({
    isNeeded: ({ needed }) => needed.has(id),
    async open() {
      steps.push(`open ${id}`);
      return { ...running(id), ...over };
    },
  });
  return { world, steps, running, service };
}

const part = <House>(id: string, ...services: Service<House>[]): Contribution<House> => ({ id, says: id, services });

describe("Services", () => {
  it("go through each phase together: there and back", async () => {
    const { world, steps, service } = openWorld();
    const services = new Services(world, [part("one", service("first")), part("two", service("second"))]);
    await services.open();
    await services.start();
    await services.close();
    expect(steps).toEqual(
      ["open first", "open second", "start first", "start second"].concat([
        "stop second",
        "stop first",
        "leave second",
        "leave first",
        "close second",
        "close first",
      ]),
    );
  });

  it("are not there until they are needed, and started at once when a configuration asks for them", async () => {
    const { world, steps, service } = openWorld();
    world.needed.clear();
    const services = new Services(world, [part("one", service("first")), part("two", service("second"))]);
    await services.open();
    await services.start();
    services.configured(["a.key"]);
    expect(steps).toEqual([]);
    world.needed.add("second");
    services.configured(["a.key"]);
    await services.open();
    expect(steps).toEqual(["open second", "start second"]);
  });

  it("that somebody else opens first are started in their turn, and only once", async () => {
    const { world, steps, running, service } = openWorld();
    const shared = running("shared");
    const services = new Services(world, [part("one", service("first")), part("two", { open: () => world.opened() })]);
    world.opened = services.lazily("two", async () => shared);
    await world.opened();
    expect(steps).toEqual([]);
    await services.open();
    await services.start();
    expect(steps).toEqual(["open first", "start first", "start shared"]);
  });

  it("that are opened after the start are started before anybody has them", async () => {
    const { world, steps, running } = openWorld();
    const services = new Services(world, [part("one")]);
    const lazily = services.lazily("one", async () => running("late"));
    await services.open();
    await services.start();
    await lazily();
    expect(steps).toEqual(["start late"]);
  });

  it("are given to those outside when what an earlier process left is under way", async () => {
    const { world, steps, running, service } = openWorld();
    const services = new Services(world, [part("one", service("first")), part("two")]);
    const asked = services.lazily("two", async () => running("asked")).whenReady();
    await services.open();
    expect(steps).toEqual(["open first"]);
    await services.start();
    await asked;
    expect(steps).toEqual(["open first", "start first", "start asked"]);
  });

  it("are all ended though one of them fails, each once, also when the start failed", async () => {
    const { world, steps, service } = openWorld();
    const fails = async (): Promise<void> => {
      throw new Error("no");
    };
    const services = new Services(world, [
      part("one", service("first")),
      part("two", service("second", { start: fails, stop: fails })),
    ]);
    await services.open();
    await expect(services.start()).rejects.toThrow("no");
    await services.stop();
    await services.close();
    expect(steps.filter((step) => !/^(?:open|start)/.test(step))).toEqual([
      expect.stringContaining('"part":"two","phase":"stop","error":"Error: no"'),
      "stop first",
      "leave second",
      "leave first",
      "close second",
      "close first",
    ]);
  });
});
