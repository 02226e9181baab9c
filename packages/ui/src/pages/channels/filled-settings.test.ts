// What a form comes to.
import { expect, it } from "vitest";
import { filledSettings } from "./filled-settings.ts";

const field = (name: string, list = false) => ({ name, list });

it("leaves out what is empty, leads into blocks, and takes lists apart", () => {
  const filled: Record<string, string> = {
    address: " bot@example.org ",
    "imap.host": "imap.example.org",
    "imap.password": " s p ",
    "smtp.host": "   ",
    rooms: "#one, #two key ,",
  };
  const fields = [
    field("address"),
    field("imap.host"),
    field("imap.password"),
    field("smtp.host"),
    field("rooms", true),
  ];
  expect(filledSettings(fields, (name) => filled[name] ?? "")).toEqual({
    address: "bot@example.org",
    imap: { host: "imap.example.org", password: "s p" },
    rooms: ["#one", "#two key"],
  });
});
