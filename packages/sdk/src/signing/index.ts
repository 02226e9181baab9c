// Digests that prove who sent a request: keyed, compared in constant time, and our own way to sign a body.
export { hmacSha256, isSameText } from "./hmac.ts";
export { doubtOfHead, doubtOfSignedBody, signatureOf, signBody, type SignatureHeaders } from "./signed-body.ts";
