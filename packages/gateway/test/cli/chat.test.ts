// A conversation over pipes: answers as they come, commands, Ctrl-C, and a gateway that dies in between.
import { describe, expect, it } from "vitest";
import { Household } from "../support/durability/child-gateway.ts";

describe("chela chat", () => {
  it("answers line by line, and ends with the input", async () => {
    await using home = new Household();
    await home.startGateway();
    const chat = home.start(["chat"]);
    for (const line of ["say one", "", "/help", "say two", "/status", "fail auth"]) chat.type(line);
    chat.endInput();
    const { code, stdout, stderr } = await chat.finished();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^one\n🦀 Help\nSession: \/new [^]*\ntwo\n🦀 Chela [^]*Model: demo\/demo\n/);
    expect(stderr).toMatch(/\/exit or Ctrl-D leaves/);
    expect(stderr).toMatch(/The model provider refused the credential/);
  });

  it("goes on in the named session, and /new empties it", async () => {
    await using home = new Household();
    await home.startGateway();
    const chat = home.start(["chat", "--session", "agent:main:side"]);
    for (const line of ["say before", "/new say after"]) chat.type(line);
    chat.endInput();
    expect((await chat.finished()).stdout).toBe("before\nafter\n");
    const { stdout } = await home.chela(
      "gateway",
      "call",
      "chat.history",
      "--params",
      '{"sessionKey":"agent:main:side"}',
    );
    expect(stdout).toContain("after");
    expect(stdout).not.toContain("before");
  });

  it("stops the answer at the first Ctrl-C and leaves at the second", async () => {
    await using home = new Household();
    await home.startGateway();
    const chat = home.start(["chat"]);
    chat.type("slow 400 words");
    await chat.until("stdout", /word2/);
    chat.process.kill("SIGINT");
    await chat.until("stderr", /\(stopped\)/);
    expect(chat.stdout).not.toContain("word400");
    chat.process.kill("SIGINT");
    expect((await chat.finished()).code).toBe(0);
  });

  it("loses no line and repeats none when the gateway is killed and comes back elsewhere", async () => {
    await using home = new Household();
    const first = await home.startGateway();
    const chat = home.start(["chat"]);
    chat.type("slow 6 words");
    await chat.until("stdout", /word2/);
    await first.program.kill("SIGKILL");
    await chat.until("stderr", /connection is lost/);
    chat.type("say typed meanwhile");
    await home.startGateway();
    await chat.until("stderr", /Connected again/);
    await chat.until("stdout", /word6\n[^]*typed meanwhile\n/);
    chat.endInput();
    expect((await chat.finished()).code).toBe(0);
    const { stdout } = await home.chela("gateway", "call", "chat.history", "--params", '{"sessionKey":"main"}');
    const asked = (JSON.parse(stdout).messages as Array<{ role: string }>).filter(({ role }) => role === "user");
    expect(asked).toHaveLength(2);
  });

  it("tells which lines did not reach the gateway when it is left without one", async () => {
    await using home = new Household();
    const { program } = await home.startGateway();
    const chat = home.start(["chat"]);
    chat.type("say hello");
    await chat.until("stdout", /hello\n/);
    await program.kill("SIGKILL");
    await chat.until("stderr", /connection is lost/);
    chat.type("say lost words");
    chat.type("/exit");
    chat.process.kill("SIGINT");
    await chat.until("stderr", /cannot be reached/);
    chat.process.kill("SIGINT");
    const { code, stderr } = await chat.finished();
    expect(code).toBe(1);
    expect(stderr).toMatch(/did not reach the gateway:\n {2}say lost words/);
  });
});

describe("chela agent", () => {
  it("gets its answer from the next gateway when the first one is killed", async () => {
    await using home = new Household();
    const first = await home.startGateway();
    const agent = home.start(["agent", "-m", "slow 5 words", "--stream"]);
    await agent.until("stdout", /word2/);
    await first.program.kill("SIGKILL");
    await home.startGateway();
    expect(await agent.finished()).toMatchObject({ code: 0, stdout: expect.stringMatching(/word5\n$/) });
  });

  it("stops the answer at Ctrl-C", async () => {
    await using home = new Household();
    await home.startGateway();
    const agent = home.start(["agent", "-m", "slow 400 words", "--stream"]);
    await agent.until("stdout", /word2/);
    agent.process.kill("SIGINT");
    expect((await agent.finished()).code).toBe(130);
    const { stdout } = await home.chela("gateway", "call", "chat.abort", "--params", '{"sessionKey":"main"}');
    expect(JSON.parse(stdout)).toMatchObject({ aborted: false });
  });
});
