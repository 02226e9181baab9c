// Route of the page. It stands in the fragment, so that it never reaches a server.
import { Live } from "../state/live.ts";

export interface Route {
  readonly page: string;
  /** What follows the page's name, decoded. */
  readonly rest: readonly string[];
  readonly query: Readonly<Record<string, string>>;
}

function readRoute(fragment: string, fallback: string): Route {
  const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split("?", 2);
  const [page = "", ...rest] = path.split("/").filter(Boolean).map(decode);
  return { page: page || fallback, rest, query: Object.fromEntries(new URLSearchParams(query)) };
}

export function writeRoute(
  page: string,
  rest: readonly string[] = [],
  query: Readonly<Record<string, string>> = {},
): string {
  const path = [page, ...rest].map(encodeURIComponent).join("/");
  const search = new URLSearchParams(query).toString();
  return search ? `#/${path}?${search}` : `#/${path}`;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export class Router {
  readonly route: Live<Route>;
  readonly #fallback: string;

  constructor(fallback: string) {
    this.#fallback = fallback;
    this.route = new Live(readRoute(location.hash, fallback));
    window.addEventListener("hashchange", () => this.route.set(readRoute(location.hash, fallback)));
  }

  go(page: string, rest?: readonly string[], query?: Readonly<Record<string, string>>): void {
    location.hash = writeRoute(page, rest, query);
  }

  /** Changes the address without a step back to where one was. */
  replace(page: string, rest?: readonly string[], query?: Readonly<Record<string, string>>): void {
    const fragment = writeRoute(page, rest, query);
    history.replaceState(null, "", fragment);
    this.route.set(readRoute(fragment, this.#fallback));
  }
}
