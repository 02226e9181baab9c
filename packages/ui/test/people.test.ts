// People at the page: written down, given a role with a warning, linked and unlinked, limited, and forgotten again.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { WireClient } from "../../gateway/test/support/wire-client.ts";
import { HAS_BROWSER, Stage } from "./support/stage.ts";
import { findViolations } from "./support/violations.ts";

describe.skipIf(!HAS_BROWSER)("people", () => {
  let stage: Stage;
  let admin: WireClient;
  let page: Page;
  beforeAll(async () => {
    stage = await Stage.open({ session: { identityLinks: { Grace: ["telegram:77", "nobody"] } } });
    admin = await stage.client();
    page = await stage.page({ at: "#/people" });
  });
  beforeEach(async () => {
    // A test that failed may have left a window open.
    await page.reload();
    const { people } = await admin.call("people.list");
    for (const { id } of people as Array<{ id: string }>) await admin.call("people.delete", { id });
  });
  afterAll(() => stage?.[Symbol.asyncDispose]());

  const cardOf = (name: string): Locator => page.getByRole("article", { name, exact: true });
  // oxlint-disable-next-line typescript/no-explicit-any -- a payload that is compared as it is
  const known = async (id: string): Promise<any> =>
    (await admin.call("people.list")).people.find((one: { id: string }) => one.id === id);
  const put = (person: object): Promise<unknown> =>
    admin.call("people.put", { person: { id: "ann", name: "Ann", role: "guest", ids: [], ...person } });

  async function choose(name: string, action: string): Promise<void> {
    await page.getByRole("button", { name: `More about ${name}` }).click();
    await page.getByRole("menuitem", { name: action }).click();
  }

  test("somebody is written down, with an id and limits, and seen with what they may do", async () => {
    await page.getByText("Nobody is written down yet").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.locator(".page-head").getByRole("button", { name: "Add a person" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a person" });
    await dialog.getByLabel("Name", { exact: true }).fill("Zoë Müller");
    await dialog.getByText("Known here as zoe-muller.").waitFor();
    expect(await dialog.getByRole("radio", { name: /^Guest/ }).isChecked()).toBe(true);
    await dialog.getByRole("radio", { name: /^Member/ }).check();
    await dialog.getByLabel("Channel").selectOption("telegram");
    await dialog.getByLabel("Id there").fill("@zoe");
    await dialog.getByLabel("Messages a day").fill("20");
    await dialog.getByLabel("US dollars a day").fill("2");
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    // What is no id is refused in the gateway's own words, and nothing that was typed is lost.
    await dialog
      .getByRole("alert")
      .getByText(/Ids are numbers/)
      .waitFor();
    await dialog.getByLabel("Id there").fill("123");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });

    const card = cardOf("Zoë Müller");
    await card.getByText("Member", { exact: true }).waitFor();
    await card.getByText("0 of 20 messages today").waitFor();
    expect(await card.getByRole("meter").getAttribute("aria-valuetext")).toBe("$0.00 of $2.00 spent today");
    expect(await known("zoe-muller")).toMatchObject({
      role: "member",
      ids: [{ channel: "telegram", id: "123" }],
      quota: { messagesPerDay: 20, costPerDay: 2 },
    });
    expect(await findViolations(page)).toEqual([]);
  });

  test("nobody becomes an owner without being asked, and the question names who that is", async () => {
    await put({ ids: [{ channel: "telegram", id: "5" }] });
    await choose("Ann", "Change");
    const dialog = page.getByRole("dialog", { name: "Change Ann" });
    await dialog.getByRole("radio", { name: /^Owner/ }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    const question = page.getByRole("dialog", { name: "Make Ann an owner?" });
    await question.getByText(/change settings from a chat.*telegram:5/).waitFor();
    await question.getByRole("button", { name: "Cancel" }).click();
    expect((await known("ann")).role).toBe("guest");
    await dialog.getByRole("button", { name: "Save" }).click();
    await question.getByRole("button", { name: "Make them an owner" }).click();
    await cardOf("Ann").getByText("Owner", { exact: true }).waitFor();
    expect((await known("ann")).role).toBe("owner");

    // One more id for an owner is one more way to be the owner.
    await page.getByRole("button", { name: "Add an id to Ann" }).click();
    const linking = page.getByRole("dialog", { name: "Add an id to Ann" });
    await linking.getByLabel("Channel").selectOption("telegram");
    await linking.getByLabel("Id there").fill("6");
    await linking.getByRole("button", { name: "Add", exact: true }).click();
    await question.getByText(/telegram:6/).waitFor();
    await question.getByRole("button", { name: "Make them an owner" }).click();
    await linking.waitFor({ state: "hidden" });
    expect((await known("ann")).ids).toHaveLength(2);
  });

  test("what somebody else changed meanwhile is not written over", async () => {
    await put({});
    await choose("Ann", "Change");
    const dialog = page.getByRole("dialog", { name: "Change Ann" });
    await put({ role: "member", note: "from elsewhere" });
    await dialog.getByLabel("Note for yourself").fill("from here");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog
      .getByRole("alert")
      .getByText(/was changed meanwhile/)
      .waitFor();
    expect(await known("ann")).toMatchObject({ role: "member", note: "from elsewhere" });
    await page.keyboard.press("Escape");
    // The list behind it has heard of it.
    await cardOf("Ann").getByText("from elsewhere").waitFor();
  });

  test("an id of one is not an id of another, and can be taken away", async () => {
    await put({ ids: [{ channel: "telegram", id: "5" }] });
    await put({ id: "bob", name: "Bob" });
    await choose("Bob", "Add an id");
    const linking = page.getByRole("dialog", { name: "Add an id to Bob" });
    await linking.getByLabel("Channel").selectOption("telegram");
    await linking.getByLabel("Id there").fill("5");
    await linking.getByRole("button", { name: "Add", exact: true }).click();
    await linking
      .getByRole("alert")
      .getByText(/belongs to Ann/)
      .waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Take telegram:5 away from Ann" }).click();
    // Of a guest, less is said of them then: that may be more for them.
    const question = page.getByRole("dialog", { name: "Take telegram:5 away from Ann?" });
    await question.getByText(/may be more than they may do now/).waitFor();
    await question.getByRole("button", { name: "Take this id away" }).click();
    await expect.poll(async () => (await known("ann")).ids).toEqual([]);
  });

  test("who is linked in the configuration is taken up as a guest, and forgotten again", async () => {
    const suggested = page.getByRole("region", { name: "Linked in the configuration" });
    await suggested.getByText(/"nobody" names no channel/).waitFor();
    await suggested.getByRole("button", { name: "Add as a guest: Grace" }).click();
    await cardOf("Grace").getByText("Guest", { exact: true }).waitFor();
    expect(await known("grace")).toMatchObject({ role: "guest", ids: [{ channel: "telegram", id: "77" }] });
    await choose("Grace", "Remove");
    await page.getByRole("dialog", { name: "Remove Grace?" }).getByRole("button", { name: "Remove" }).click();
    await cardOf("Grace").waitFor({ state: "detached" });
    expect(await known("grace")).toBeUndefined();
    await suggested.getByRole("button", { name: "Add as a guest: Grace" }).waitFor();
  });

  test("nothing was complained about", () => {
    expect(stage.complaints).toEqual([]);
  });
});
