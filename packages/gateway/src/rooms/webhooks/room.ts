// Webhooks: other programs tell an agent something over HTTP. Owns: who is believed and by which proof, which mapping takes a
// request, what is made of it, and that the same event is carried out once. What comes in is data; it never speaks for anybody.
export type { HookAnswer, HookCall } from "./call.ts";
export { readHookRules } from "./read-rules.ts";
export { createWebhooks, type Webhooks } from "./webhooks.ts";
