// HTTP for every process of ours: one transport, and the client for addresses that the operator chose.
export { createHttpFetch, tryGetJson, type HttpFetch, type HttpFetchOptions, type HttpRequest } from "./http-fetch.ts";
export { HttpHeaders, type HeaderInput } from "./http-headers.ts";
export { HttpResponse } from "./http-response.ts";
export { readTextAtMost } from "./read-answer.ts";
export { carry, openPool, withLength, type Carried, type WireRequest } from "./transport.ts";
export { writeInPieces } from "./write-in-pieces.ts";
