// Takes secrets out of the address, where they must not stay: the one-time code, and what other pages of this kind put there.

/** A route has no use for these; whoever put them there meant a secret. */
const SECRET = /[?&](?:code|token|password|secret|auth|apiKey|\w+Token)=/i;

/** `#code=…`, as `chela dashboard` opens the page. What is no route is dropped, whatever it is. */
export function takeCode(): string | undefined {
  const { hash, pathname } = location;
  const isRoute = hash === "" || hash.startsWith("#/");
  if (isRoute && !SECRET.test(hash)) return undefined;
  const [route] = isRoute ? hash.split("?", 1) : ["#/"];
  history.replaceState(null, "", `${pathname}${route}`);
  return /^#code=([\w-]+)$/.exec(hash)?.[1];
}
