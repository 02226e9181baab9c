// Put by the build in place of globals that are expensive at first use.
export { HttpHeaders as Headers } from "./http-headers.ts";
