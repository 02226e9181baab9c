import { test, expect } from "vitest";
import { startTestGateway } from "../support/in-process.ts";
test("smoke", async () => {
  await using gw = await startTestGateway();
  const c = await gw.connect();
  expect(await c.agent("hi")).toMatch(/^echo: \[.*\] hi$/);
  const e = await c.chat("hello");
  console.log(JSON.stringify(c.frames.filter((f:any)=>f.event==="agent"||f.event==="chat").map((f:any)=>[f.event,f.seq,f.payload.stream??f.payload.state,f.payload.data])), e);
});
