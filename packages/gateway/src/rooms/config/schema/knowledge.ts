// `memory`: what agents learn and remember.
import { block, bool, choice, count, key, section, text } from "@chela/sdk/config";

export const memorySection = section("What agents remember.", { reload: "restart" }, () =>
  block(() => ({
    citations: key(
      choice("auto", "on", "off"),
      "Whether results name where they are from: in direct chats (auto), always (on), or never (off).",
      { preset: "auto" },
    ),
    learning: block(() => ({
      enabled: key(bool(), "Whether agents learn facts from conversations, by rules and without a model.", {
        preset: true,
      }),
      inPrompt: key(
        bool(),
        "Whether what the owner said about themselves stands in the prompts of their conversations.",
        { preset: true },
      ),
      model: key(
        text(),
        "A model, as provider/model, that also reads the owner's conversations for facts once they are over; nobody does unless you name one.",
      ),
      maxTokensPerDay: key(count(), "How many tokens it may take each day, for each agent.", { preset: 50_000 }),
    })),
  })),
);
