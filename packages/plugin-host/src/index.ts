// What the gateway and the program of a plugin say to each other, and the lines they say it in.
export type { HttpRequestAsks, PluginCalls, StartOrder, ToPlugin } from "./wire/orders.ts";
export type { Catalogue, FromPlugin } from "./wire/told.ts";
export type { Link } from "./wire/link.ts";
export { lineLink } from "./wire/line-link.ts";
