// Finding the nearest vectors, and keeping memory and database in step.
import { DatabaseSync } from "node:sqlite";
import { GatewayError } from "@chela/sdk";
import { describe, expect, it } from "vitest";
import { VectorSpace } from "./vector-space.ts";
import {
  createRandom,
  createVectors,
  findPlainly,
  multiply,
  toLengthOne,
  type Numbered,
} from "./vectors.test-support.ts";

interface Place extends Disposable {
  readonly db: DatabaseSync;
  readonly exact: Map<number, Float32Array>;
  open(more?: { readonly name?: string; readonly signsFrom?: number }): VectorSpace;
}

function createPlace(dimensions: number): Place {
  const db = new DatabaseSync(":memory:");
  const exact = new Map<number, Float32Array>();
  return {
    db,
    exact,
    open: (more = {}) => VectorSpace.open(db, { name: "local", dimensions, exact: (id) => exact.get(id), ...more }),
    [Symbol.dispose]: () => db.close(),
  };
}

function fill(place: Place, space: VectorSpace, rows: readonly Numbered[]): void {
  for (const { id, vector } of rows) place.exact.set(id, vector);
  space.put(rows);
}

function makeRows(count: number, dimensions: number, seed = 1): { rows: Numbered[]; draw: () => Float32Array } {
  const draw = createVectors(createRandom(seed), dimensions, 10);
  return { rows: Array.from({ length: count }, (_, at) => ({ id: at * 3 + 1, vector: draw() })), draw };
}

const idsOf = (found: ReadonlyArray<{ id: number }>): number[] => found.map(({ id }) => id);

describe("what is found", () => {
  it.for([
    ["bytes", undefined, 1],
    ["signs before bytes", 0, 0.99],
  ] as const)("is what plain arithmetic finds, by %s", ([, signsFrom, least]) => {
    using place = createPlace(384);
    const { rows, draw } = makeRows(6000, 384);
    const space = place.open(signsFrom === undefined ? {} : { signsFrom });
    fill(place, space, rows);
    let found = 0;
    for (let round = 0; round < 30; round++) {
      const query = draw();
      const plain = new Set(findPlainly(rows, query, 10));
      found += space.search(query, 10).filter(({ id }) => plain.has(id)).length;
    }
    expect(found / 300).toBeGreaterThanOrEqual(least);
  });

  it.for([1, 2, 15, 17, 100, 256, 768])("is exact for vectors of %i numbers", (dimensions) => {
    using place = createPlace(dimensions);
    const { rows, draw } = makeRows(50, dimensions);
    fill(place, place.open(), rows);
    const query = draw();
    expect(idsOf(place.open().search(query, 20))).toEqual(findPlainly(rows, query, 20));
  });

  it("has the exact cosine, whatever the lengths of the vectors", () => {
    using place = createPlace(2);
    const space = place.open();
    fill(place, space, [
      { id: 1, vector: Float32Array.of(30, 0) },
      { id: 2, vector: Float32Array.of(0.3, 0.4) },
      { id: 3, vector: Float32Array.of(-1, 0) },
    ]);
    const found = space.search(Float32Array.of(5, 0), 3);
    expect(idsOf(found)).toEqual([1, 2, 3]);
    for (const [at, score] of [1, 0.6, -1].entries()) expect(found[at]?.score).toBeCloseTo(score, 6);
  });

  it.for([
    [0, 0],
    [3, 3],
    [500, 100],
  ] as const)("is %i asked for and %i given of a hundred", ([limit, given]) => {
    using place = createPlace(8);
    const { rows, draw } = makeRows(100, 8);
    fill(place, place.open(), rows);
    expect(place.open().search(draw(), limit)).toHaveLength(given);
  });

  it("is nothing in an empty space", () => {
    using place = createPlace(8);
    expect(place.open().search(new Float32Array(8).fill(1), 5)).toEqual([]);
  });

  it("leaves out what has no exact vector any more, or one of another model", () => {
    using place = createPlace(4);
    const { rows, draw } = makeRows(5, 4);
    const space = place.open();
    fill(place, space, rows);
    place.exact.delete(1);
    place.exact.set(4, new Float32Array(3));
    expect(idsOf(space.search(draw(), 10)).sort((a, b) => a - b)).toEqual([7, 10, 13]);
  });
});

describe("a comparison", () => {
  it("tells about the cosine of each that is there", () => {
    using place = createPlace(384);
    const { rows, draw } = makeRows(300, 384);
    const space = place.open();
    fill(place, space, rows);
    const query = draw();
    const wanted = [rows[7], rows[250], rows[3]].map((row) => row?.id ?? 0);
    const found = space.compare(
      query.map((value) => value * 3),
      [...wanted, 2, 100_000],
    );
    expect(idsOf(found).sort((a, b) => a - b)).toEqual(wanted.toSorted((a, b) => a - b));
    for (const { id, score } of found) {
      const row = rows.find((one) => one.id === id);
      expect(score).toBeCloseTo(multiply(row?.vector ?? [], query), 2);
    }
    expect(space.compare(query, [])).toEqual([]);
  });
});

describe("crowding", () => {
  /** No two of them are about the same. */
  function makeApart(count: number): { rows: Numbered[]; draw: () => Float32Array } {
    const random = createRandom(3);
    const draw = () => toLengthOne(Float32Array.from({ length: 64 }, () => random() + random() + random() - 1.5));
    return { rows: Array.from({ length: count }, (_, at) => ({ id: at * 3 + 1, vector: draw() })), draw };
  }

  const plainly = (rows: readonly Numbered[], { id, vector }: Numbered): number =>
    rows
      .filter((other) => other.id !== id)
      .map((other) => multiply(other.vector, vector))
      .filter((cosine) => cosine < 0.75 && cosine > 0)
      .sort((a, b) => b - a)
      .slice(0, 5)
      .reduce((sum, cosine) => sum + cosine, 0) / 5;

  it.for([3, 50, 128])("is the mean cosine of the five nearest of %i", (count) => {
    using place = createPlace(64);
    const { rows } = makeApart(count);
    const space = place.open();
    fill(place, space, rows);
    for (const row of rows.slice(0, 20)) expect(space.crowding(row.id)).toBeCloseTo(plainly(rows, row), 2);
  });

  it.for([
    [3000, 0.06],
    [9000, 0.1],
    [40_000, 0.15],
  ] as const)("is about that, and not more, where only some of %i are looked at closely", ([count, less]) => {
    using place = createPlace(64);
    const { rows } = makeApart(count);
    const space = place.open();
    fill(place, space, rows);
    for (const row of rows.slice(0, 50)) {
      expect(space.crowding(row.id)).toBeLessThanOrEqual(plainly(rows, row) + 0.02);
      expect(space.crowding(row.id)).toBeGreaterThan(plainly(rows, row) - less);
    }
  });

  it("is not more for a text that is there several times", () => {
    using place = createPlace(64);
    const { rows, draw } = makeApart(50);
    const repeated = draw();
    const space = place.open();
    fill(place, space, [...rows, { id: 1000, vector: repeated }]);
    const before = space.crowding(1000);
    fill(
      place,
      space,
      Array.from({ length: 12 }, (_, at) => ({ id: 1001 + at, vector: repeated })),
    );
    expect(space.crowding(1000)).toBeCloseTo(before, 5);
  });

  it("is found out anew when there are others, and for a vector that became another", () => {
    using place = createPlace(64);
    const { rows } = makeApart(40);
    const space = place.open();
    fill(place, space, rows.slice(0, 20));
    const [first] = rows;
    if (!first) return;
    expect(space.crowding(first.id)).toBeCloseTo(plainly(rows.slice(0, 20), first), 2);
    fill(place, space, rows.slice(20));
    expect(space.crowding(first.id)).toBeCloseTo(plainly(rows, first), 2);
    const other = { id: first.id, vector: toLengthOne(first.vector.map((value, at) => (at < 32 ? value : 0))) };
    fill(place, space, [other]);
    expect(space.crowding(first.id)).toBeCloseTo(plainly(rows, other), 2);
  });

  it("is none for what stands alone, and for what is not there", () => {
    using place = createPlace(4);
    const space = place.open();
    expect(space.crowding(1)).toBe(0);
    fill(place, space, [{ id: 1, vector: Float32Array.of(1, 0, 0, 0) }]);
    expect(space.crowding(1)).toBe(0);
    fill(place, space, [{ id: 2, vector: Float32Array.of(-1, 0, 0, 0) }]);
    expect(space.crowding(1)).toBe(0);
  });
});

describe("a search that accepts only some", () => {
  const { rows, draw } = makeRows(5000, 32);
  it.for<[string, number | undefined, (id: number) => boolean]>([
    ["every one", undefined, () => true],
    ["every third", undefined, (id) => id % 9 === 1],
    ["one in a hundred", undefined, (id) => id % 300 === 1],
    ["three of them", undefined, (id) => id < 10],
    ["none", undefined, () => false],
    ["every third, by signs", 0, (id) => id % 9 === 1],
    ["three of them, by signs", 0, (id) => id < 10],
  ])("finds as many as there are: %s", ([, signsFrom, accept]) => {
    using place = createPlace(32);
    const space = place.open(signsFrom === undefined ? {} : { signsFrom });
    fill(place, space, rows);
    const query = draw();
    const accepted = rows.filter(({ id }) => accept(id));
    expect(idsOf(space.search(query, 10, accept))).toEqual(findPlainly(accepted, query, 10));
  });
});

describe("refused are", () => {
  it.for<[string, readonly number[], RegExp]>([
    ["too few numbers", [1, 2], /has 2 numbers where 3 are expected/],
    ["too many numbers", [1, 2, 3, 4], /has 4 numbers where 3 are expected/],
    ["what is not a number", [1, Number.NaN, 0], /not finite/],
    ["infinite numbers", [1, Number.POSITIVE_INFINITY, 0], /not finite/],
    ["zeros", [0, 0, 0], /no direction/],
  ])("%s", ([, numbers, says]) => {
    using place = createPlace(3);
    const space = place.open();
    const bad = Float32Array.from(numbers);
    const failure = expect.objectContaining({ code: "MEMORY_EMBEDDING", detail: expect.stringMatching(says) });
    expect(() => space.search(bad, 1)).toThrow(failure);
    const good = { id: 1, vector: Float32Array.of(1, 0, 0) };
    expect(() => space.put([good, { id: 2, vector: bad }])).toThrow(failure);
    expect(space.size).toBe(0);
  });
});

describe("the database", () => {
  it("follows every change: what is opened anew is the same", () => {
    using place = createPlace(8);
    const random = createRandom(7);
    const draw = createVectors(random, 8, 4);
    const space = place.open();
    const pick = (): number => Math.floor(random() * 3000);
    for (let round = 0; round < 25; round++) {
      fill(
        place,
        space,
        Array.from({ length: Math.floor(random() * 400) }, () => ({ id: pick(), vector: draw() })),
      );
      const gone = Array.from({ length: Math.floor(random() * 300) }, pick);
      space.remove(gone);
      for (const id of gone) place.exact.delete(id);
      const anew = place.open();
      expect(anew.size).toBe(place.exact.size);
      expect(space.size).toBe(place.exact.size);
      const all = Array.from(place.exact, ([id, vector]) => ({ id, vector }));
      const query = draw();
      expect(idsOf(anew.search(query, 5000))).toEqual(findPlainly(all, toLengthOne(query), 5000));
      expect(anew.search(query, 5000)).toEqual(space.search(query, 5000));
      expect(gone.some((id) => space.has(id))).toBe(false);
      expect([...place.exact.keys()].every((id) => anew.has(id))).toBe(true);
    }
  });

  it("writes the blocks that changed, and only those", () => {
    using place = createPlace(4);
    const { rows } = makeRows(3500, 4);
    const space = place.open();
    fill(place, space, rows);
    place.db.exec(`CREATE TEMP TABLE written (how TEXT, block INTEGER);
      CREATE TEMP TRIGGER a AFTER INSERT ON vector_blocks BEGIN INSERT INTO written VALUES ('new', new.block); END;
      CREATE TEMP TRIGGER b AFTER UPDATE ON vector_blocks BEGIN INSERT INTO written VALUES ('again', new.block); END;
      CREATE TEMP TRIGGER c AFTER DELETE ON vector_blocks BEGIN INSERT INTO written VALUES ('gone', old.block); END;`);
    const written = (): string[] => {
      const all = place.db.prepare("SELECT how, block FROM written ORDER BY block").all();
      place.db.exec("DELETE FROM written");
      return all.map(({ how, block }) => `${String(how)} ${String(block)}`);
    };
    const idAt = (slot: number): number => slot * 3 + 1;
    const [vector = new Float32Array(4)] = rows.map((row) => row.vector);
    space.put([{ id: idAt(1500), vector }]);
    expect(written()).toEqual(["again 1"]);
    space.put([{ id: 0, vector }]);
    expect(written()).toEqual(["again 3"]);
    space.remove([idAt(5)]);
    expect(written()).toEqual(["again 0", "again 3"]);
    space.remove([99_999_999]);
    expect(written()).toEqual([]);
    space.remove(rows.slice(3000).map(({ id }) => id));
    expect(written()).toEqual(["gone 3"]);
    space.put([{ id: idAt(3000), vector }]);
    expect(written()).toEqual(["new 3"]);
  });

  it("counts after a rollback", () => {
    using place = createPlace(4);
    const { rows } = makeRows(10, 4);
    const space = place.open();
    fill(place, space, rows.slice(0, 5));
    place.db.exec("BEGIN");
    fill(place, space, rows);
    space.remove([1]);
    place.db.exec("ROLLBACK");
    space.reload();
    expect(space.size).toBe(5);
    expect([space.has(1), space.has(28)]).toEqual([true, false]);
  });

  it("takes part in a transaction that made the space itself", () => {
    using place = createPlace(4);
    const { rows } = makeRows(10, 4);
    place.db.exec("BEGIN");
    const space = place.open();
    fill(place, space, rows);
    place.db.exec("ROLLBACK");
    space.reload();
    expect(space.size).toBe(0);
    fill(place, space, rows);
    expect(place.open().size).toBe(10);
  });

  it("counts when it could not be written", () => {
    using place = createPlace(4);
    const { rows } = makeRows(10, 4);
    const space = place.open();
    fill(place, space, rows.slice(0, 5));
    place.db.exec(
      "CREATE TEMP TRIGGER full BEFORE UPDATE ON vector_blocks BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    );
    expect(() => space.put(rows)).toThrow(/disk full/);
    expect(space.size).toBe(5);
    expect(space.has(28)).toBe(false);
  });

  it("keeps spaces apart and names them", () => {
    using place = createPlace(4);
    expect(VectorSpace.names(place.db)).toEqual([]);
    const { rows, draw } = makeRows(10, 4);
    const [local, other] = [place.open(), place.open({ name: "another model" })];
    fill(place, local, rows);
    fill(place, other, rows.slice(0, 2));
    expect(VectorSpace.names(place.db)).toEqual(["another model", "local"]);
    local.drop();
    expect(VectorSpace.names(place.db)).toEqual(["another model"]);
    expect([local.size, local.search(draw(), 5).length, other.size]).toEqual([0, 0, 2]);
  });

  it("is read again after memory was given back", () => {
    using place = createPlace(4);
    const { rows, draw } = makeRows(10, 4);
    const space = place.open();
    fill(place, space, rows);
    const query = draw();
    const before = space.search(query, 5);
    space.unload();
    expect(space.size).toBe(10);
    expect(space.search(query, 5)).toEqual(before);
  });

  it.for([
    ["rows cut short", "UPDATE vector_blocks SET rows = substr(rows, 1, 99) WHERE block = 1"],
    ["no scales", "UPDATE vector_blocks SET scales = x'' WHERE block = 1"],
    ["ids that are text", "UPDATE vector_blocks SET ids = 'tea' WHERE block = 1"],
    ["odd ids", "UPDATE vector_blocks SET ids = x'00112233' WHERE block = 1"],
    ["a block that is gone", "DELETE FROM vector_blocks WHERE block = 0"],
    [
      "a block that is not full",
      "INSERT INTO vector_blocks SELECT space, 2, ids, scales, rows FROM vector_blocks WHERE block = 1",
    ],
  ])("may be damaged (%s): that is said, and the space can be dropped", ([, damage = ""]) => {
    using place = createPlace(4);
    const { rows, draw } = makeRows(1500, 4);
    fill(place, place.open(), rows);
    place.db.exec(damage);
    const space = place.open();
    const query = draw();
    expect(() => space.search(query, 5)).toThrow(GatewayError);
    expect(() => space.put(rows)).toThrow(expect.objectContaining({ code: "MEMORY_UNAVAILABLE" }));
    space.drop();
    fill(place, space, rows);
    expect(space.search(query, 5)).toHaveLength(5);
  });

  it("says so when vectors of another model have its name", () => {
    using place = createPlace(64);
    const { rows } = makeRows(5, 64);
    fill(place, place.open(), rows);
    const other = VectorSpace.open(place.db, { name: "local", dimensions: 32, exact: () => undefined });
    expect(() => other.search(new Float32Array(32).fill(1), 1)).toThrow(/vectors of local/);
  });
});
