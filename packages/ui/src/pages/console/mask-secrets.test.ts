import { expect, it } from "vitest";
import { maskSecrets } from "./mask-secrets.ts";

it("hides secrets by name, however deep, and leaves the rest", () => {
  const frame = {
    method: "connect",
    params: {
      auth: { token: "t-1", deviceToken: "t-2", password: "t-3", bootstrapToken: "t-4" },
      keys: [{ apiKey: "t-5" }],
    },
    tokens: 12,
  };
  const shown = JSON.stringify(maskSecrets(frame));
  expect(shown).not.toMatch(/t-\d/);
  expect(shown).toContain('"method":"connect"');
  expect(shown).toContain('"tokens":12');
});

it("hides them in texts that hold JSON themselves", () => {
  const raw = JSON.stringify({ channels: { telegram: { botToken: "1:secret", name: "bot" } } });
  expect(maskSecrets({ raw })).toEqual({ raw: '{"channels":{"telegram":{"botToken":"••••••","name":"bot"}}}' });
});

it("nothing of a new credential is shown", () => {
  const frame = { type: "req", id: "1", method: "credentials.add", params: { id: "a", content: { value: "canary" } } };
  expect(maskSecrets(frame)).toEqual({ ...frame, params: "••••••" });
});
