// Makes a value and everything in it unchangeable, so that it can be given to many.

export function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}
