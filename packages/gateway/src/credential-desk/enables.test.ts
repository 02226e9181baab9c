// What places of secrets stand for.
import { expect, it } from "vitest";
import { enabledBy } from "./enables.ts";

it.each([
  ["models.providers.openai.apiKey", "models of openai"],
  ["models.providers['my.own'].headers.x", "models of my.own"],
  ["agent main, profile anthropic:work", "models of anthropic for main"],
  ["channels.telegram.botToken", "channel telegram"],
  ["channels.slack.accounts.office.appToken", "channel slack (office)"],
  ["tools.web.search.apiKey", "tool web_search"],
  ["tools.web.fetch.firecrawl.apiKey", "tool web_fetch"],
  ["hooks.token", "webhooks"],
  ["gateway.auth.token", "the gateway's own door"],
  ["agents.defaults.memorySearch.remote.apiKey", "memory"],
  ["plugins.entries.x.key", "plugins.entries.x.key"],
  [".env OPENAI_API_KEY", ".env OPENAI_API_KEY"],
])("%s makes possible: %s", (where, wanted) => {
  expect(enabledBy(where)).toBe(wanted);
});
