// What places of secrets stand for.
import { expect, it } from "vitest";
import { enabledBy, enabledByAll, type Enabled } from "./enables.ts";

it.each<[string, Enabled]>([
  ["models.providers.openai.apiKey", { kind: "models", name: "openai" }],
  ["models.providers['my.own'].headers.x", { kind: "models", name: "my.own" }],
  ["agent main, profile anthropic:work", { kind: "models", name: "anthropic", detail: "main" }],
  ["channels.telegram.botToken", { kind: "channel", name: "telegram" }],
  ["channels.slack.accounts.office.appToken", { kind: "channel", name: "slack", detail: "office" }],
  ["tools.web.search.apiKey", { kind: "tool", name: "web_search" }],
  ["tools.web.fetch.firecrawl.apiKey", { kind: "tool", name: "web_fetch" }],
  ["tools.media.audio.apiKey", { kind: "media" }],
  ["hooks.token", { kind: "webhooks" }],
  ["gateway.auth.token", { kind: "door" }],
  ["gateway.remote.token", { kind: "remote" }],
  ["agents.defaults.memorySearch.remote.apiKey", { kind: "memory" }],
  ["agents.defaults.sandbox.docker.env.KEY", { kind: "sandbox" }],
  ["plugins.entries.x.key", { kind: "other", name: "plugins.entries.x.key" }],
  ["tools.exec.key", { kind: "other", name: "tools.exec.key" }],
  [".env OPENAI_API_KEY", { kind: "other", name: ".env OPENAI_API_KEY" }],
])("%s makes possible: %j", (where, wanted) => {
  expect(enabledBy(where)).toEqual(wanted);
});

it("is named once, however many places there are", () => {
  expect(enabledByAll(["channels.slack.botToken", "channels.slack.appToken"])).toEqual([
    { kind: "channel", name: "slack" },
  ]);
});
