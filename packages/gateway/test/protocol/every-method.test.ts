// Every method of the protocol is called here, and what it gives back has the declared shape.
import { afterAll, beforeAll, expect, test } from "vitest";
import { METHODS, ResponseFrame, type MethodName } from "@chela/sdk/protocol";
import { METHOD_CASES, openMethodScene, type MethodScene } from "../support/security/method-cases.ts";

let scene: MethodScene;
beforeAll(async () => {
  scene = await openMethodScene();
});
afterAll(() => scene.gateway[Symbol.asyncDispose]());

test("there is a case for each method, and no other", () => {
  expect(Object.keys(METHOD_CASES).toSorted()).toEqual(Object.keys(METHODS).toSorted());
});

test.for(Object.keys(METHODS) as MethodName[])("%s gives what it declares", async (method) => {
  const params = await METHOD_CASES[method](scene);
  expect(METHODS[method].params().safeParse(params).error).toBeUndefined();
  const caller = METHODS[method].role === "node" ? (await scene.node()).client : scene.client;
  const response = await caller.request(method, params);
  expect(response.error).toBeUndefined();
  expect(ResponseFrame().safeParse(response).error).toBeUndefined();
  expect(METHODS[method].result().safeParse(response.payload).error).toBeUndefined();
});
