// Changes to a JSON value that leave it JSON: other types, other keys, parts that are missing, doubled or nested.
import { EDGE_CHARACTERS, EDGE_NUMBERS, type Stock } from "./mutate-text.ts";

type Holder = unknown[] | Record<string, unknown>;

interface Spot {
  readonly holder: Holder;
  readonly key: string | number;
}

/** Stands for brackets that no recursion could write. */
const ABYSS = "\u0001abyss\u0001";
const MOST_SPOTS = 3000;
const ODD_KEYS = [
  ..."__proto__ constructor prototype toString valueOf hasOwnProperty length then id type kind name key text".split(
    " ",
  ),
  "",
  " ",
  "a.b",
  "0",
];

/** Undefined when the text is no JSON, or none that can be written again. */
export function mutateJson(text: string, stock: Stock): string | undefined {
  const { random } = stock;
  try {
    const root = { value: JSON.parse(text) as unknown };
    const spots = spotsIn(root);
    const spot = random.pick(spots);
    CHANGES[random.below(CHANGES.length)]?.(spot, stock, spots);
    const written = JSON.stringify(root.value) ?? "null";
    if (!written.includes(JSON.stringify(ABYSS))) return written;
    const depth = 1 + random.below(random.isLucky(0.5) ? 200 : Math.floor(stock.maxLength / 8));
    const [open, close] = random.isLucky(0.5) ? ["[", "]"] : ['{"a":', "}"];
    return written.replaceAll(JSON.stringify(ABYSS), () => `${open.repeat(depth)}1${close.repeat(depth)}`);
  } catch {
    return undefined;
  }
}

function spotsIn(root: { value: unknown }): Spot[] {
  const spots: Spot[] = [];
  const waiting: Holder[] = [root];
  while (spots.length < MOST_SPOTS) {
    const holder = waiting.shift();
    if (!holder) break;
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
    for (const key of keys) {
      const spot = { holder, key };
      const value = read(spot);
      spots.push(spot);
      if (isHolder(value)) waiting.push(value);
    }
  }
  return spots;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === "object" && value !== null;
}

function read({ holder, key }: Spot): unknown {
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

/** Whatever the key is called, it becomes a field of its own. */
function write({ holder, key }: Spot, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function remove({ holder, key }: Spot): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else Reflect.deleteProperty(holder, key);
}

/** The one or other spot's holder, if it has names. */
function renamed({ holder }: Spot, { random, words }: Stock): Spot {
  if (Array.isArray(holder)) return { holder, key: holder.length };
  return { holder, key: random.pick(words.length > 0 && random.isLucky(0.5) ? words : ODD_KEYS) };
}

function edgeValue(stock: Stock): unknown {
  const { random } = stock;
  const values: readonly (() => unknown)[] = [
    () => null,
    () => true,
    () => false,
    () => "",
    () => [],
    () => ({}),
    () => Number(random.pick(EDGE_NUMBERS)),
    () => random.pick(EDGE_NUMBERS),
    () => random.pick(EDGE_CHARACTERS),
    () => random.pick(stock.words.length > 0 ? stock.words : ODD_KEYS),
    () => "x".repeat(random.below(stock.maxLength / 2)),
    () => ABYSS,
    () => ({ toString: "x", length: -1 }),
    () => ({ length: { toString: 0 } }),
  ];
  return random.pick(values)();
}

const CHANGES: readonly ((spot: Spot, stock: Stock, spots: readonly Spot[]) => void)[] = [
  (spot, stock) => write(spot, edgeValue(stock)),
  (spot, stock) => write(renamed(spot, stock), edgeValue(stock)),
  (spot) => remove(spot),
  (spot, stock) => write(renamed(spot, stock), read(spot)),
  (spot, stock) => write(spot, structuredClone(read(stock.random.pick(spotsOf(stock))))),
  (spot, stock, spots) => write(spot, structuredClone(read(stock.random.pick(spots)))),
  (spot) => write(spot, [read(spot)]),
  (spot, stock) => write(spot, { [stock.random.pick(ODD_KEYS)]: read(spot) }),
  (spot) => write(spot, String(read(spot))),
  (spot, stock) => write(spot, withEdge(String(read(spot)), stock)),
  (spot, stock) => {
    const value = read(spot);
    if (Array.isArray(value)) write(spot, Array(stock.random.below(300)).fill(value[0] ?? null));
  },
];

function withEdge(text: string, { random }: Stock): string {
  const place = random.below(text.length + 1);
  return text.slice(0, place) + random.pick(EDGE_CHARACTERS) + text.slice(place);
}

/** Of another input. */
function spotsOf({ corpus, random }: Stock): Spot[] {
  try {
    return spotsIn({ value: JSON.parse(random.pick(corpus)) as unknown });
  } catch {
    return [{ holder: [null], key: 0 }];
  }
}
