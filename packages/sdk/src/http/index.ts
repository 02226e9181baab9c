// HTTP calls to addresses that the operator chose: one client for the gateway and all channels.
export {
  createHttpFetch,
  HttpResponse,
  tryGetJson,
  type HttpFetch,
  type HttpFetchOptions,
  type HttpRequest,
} from "./http-fetch.ts";
export { HttpHeaders, type HeaderInput } from "./http-headers.ts";
export { readTextAtMost } from "./read-answer.ts";
