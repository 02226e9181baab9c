// HTTP for every process of ours: one transport, and the client for addresses that the operator chose.
export { createHttpFetch, tryGetJson, type HttpFetch, type HttpFetchOptions, type HttpRequest } from "./http-fetch.ts";
export { HttpHeaders, type HeaderInput } from "./http-headers.ts";
export { HttpResponse } from "./http-response.ts";
export { readTextAtMost } from "./read-answer.ts";
export { carryOver } from "./carry-over.ts";
export { openPool, type Pool, type WireRequest } from "./transport.ts";
