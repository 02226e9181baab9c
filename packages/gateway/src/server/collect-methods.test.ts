import { methods, type Contribution } from "@chela/sdk";
import { CRON_METHODS, METHODS, type CallContext, type MethodSpec } from "@chela/sdk/protocol";
import { expect, it } from "vitest";
import { CONTRIBUTIONS } from "../house/contributions.ts";
import { collectMethods } from "./collect-methods.ts";

const call = {} as CallContext;
const { params, result } = METHODS["logs.unfollow"];
const spec: MethodSpec = { role: "operator", scope: "operator.read", says: "Says hello", params, result };
const part = (id: string, specs: Record<string, MethodSpec>, handlers: object): Contribution<object> => ({
  id,
  says: "A part.",
  methods: [{ specs, load: () => Promise.resolve(handlers) }],
});

it("every method of the table is contributed exactly once, and nothing else is", () => {
  const names = CONTRIBUTIONS.flatMap(({ methods: families = [] }) =>
    families.flatMap(({ specs }) => Object.keys(specs)),
  );
  expect(names.toSorted()).toEqual(Object.keys(METHODS).toSorted());
});

it("what a family declares is what the table declares", () => {
  for (const { methods: families = [] } of CONTRIBUTIONS)
    for (const { specs } of families)
      for (const [name, declared] of Object.entries(specs))
        expect(METHODS[name as keyof typeof METHODS]).toBe(declared);
});

it("a method nobody has declared for all is listed last and called by its own spec", async () => {
  const added = part("plugin", { "plugin.hello": spec }, { "plugin.hello": () => ({ ok: true }) });
  const cron = methods(CRON_METHODS, () => Promise.reject(new Error("nobody called it")));
  const { byName, listed } = await collectMethods({}, [added, { id: "cron", says: "Jobs.", methods: [cron] }]);
  expect(listed).toEqual([...Object.keys(CRON_METHODS), "plugin.hello"]);
  expect(byName.get("plugin.hello")?.spec).toBe(spec);
  expect(await byName.get("plugin.hello")?.handle({}, call)).toEqual({ ok: true });
});

it("what is not for everybody is not listed", async () => {
  const hidden = part("plugin", { "plugin.hello": { ...spec, unlisted: true } }, { "plugin.hello": () => ({}) });
  expect((await collectMethods({}, [hidden])).listed).toEqual([]);
});

it("a method is not contributed twice", async () => {
  const one = part("one", { "plugin.hello": spec }, {});
  const other = part("other", { "plugin.hello": spec }, {});
  await expect(collectMethods({}, [one, other])).rejects.toThrow(
    "plugin.hello is contributed twice, the second time by other",
  );
});

it("a family is loaded with the first call, and a handler that is missing is named", async () => {
  let loads = 0;
  const specs = { "plugin.hello": spec, "plugin.bye": spec };
  const load = async () => {
    loads += 1;
    return { "plugin.hello": () => ({}) } as object;
  };
  const { byName } = await collectMethods({}, [{ id: "plugin", says: "A part.", methods: [{ specs, load }] }]);
  expect(loads).toBe(0);
  await byName.get("plugin.hello")?.handle({}, call);
  await expect(byName.get("plugin.bye")?.handle({}, call)).rejects.toThrow(
    "plugin.bye was contributed without a handler",
  );
  expect(loads).toBe(1);
});

it("what is loaded first is called in the instant of the request", async () => {
  const handlers = { "plugin.hello": () => "now" };
  const first = { specs: { "plugin.hello": spec }, isLoadedFirst: true as const, load: async () => handlers as object };
  const { byName } = await collectMethods({}, [{ id: "plugin", says: "A part.", methods: [first] }]);
  expect(byName.get("plugin.hello")?.handle({}, call)).toBe("now");
});
