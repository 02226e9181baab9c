// A tensor is found in a file like the model's; what is not there is said.
import { expect, it } from "vitest";
import { findTensor } from "./find-tensor.ts";

/** A field with bytes in it; all lengths here fit into one byte. */
const field = (number: number, ...bytes: number[]): number[] => [number * 8 + 2, bytes.length, ...bytes];
const tensor = (name: string, rows: number, columns: number, bytes: number[]): number[] =>
  field(5, 8, rows, 8, columns, 16, 2, ...field(8, ...Buffer.from(name)), ...field(9, ...bytes));

it("says where the bytes of a tensor begin, whatever stands before them", () => {
  const wanted = tensor("words", 2, 3, [11, 12, 13, 14, 15, 16]);
  const graph = [...field(1, 1, 2, 3), ...tensor("other", 1, 2, [7, 8]), 13, 0, 0, 0, 0, ...wanted];
  const file = Buffer.from([8, 150, 1, ...field(7, ...graph)]);
  const place = findTensor(file, "words");
  expect(place).toMatchObject({ rows: 2, columns: 3 });
  expect([...file.subarray(place.offset, place.offset + 6)]).toEqual([11, 12, 13, 14, 15, 16]);
});

it.each([
  ["has no such tensor", [...tensor("other", 1, 2, [7, 8])]],
  ["has fewer bytes than its size says", [...tensor("words", 2, 3, [1])]],
])("refuses a model that %s", (_, graph) => {
  expect(() => findTensor(Buffer.from(field(7, ...graph)), "words")).toThrow("no table of bytes named words");
});
