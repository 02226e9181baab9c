// Frames of the wire protocol, as they are parsed from a WebSocket message.
import { EventFrame, explainIssues, RequestFrame, ResponseFrame } from "@chela/sdk/protocol";
import { promise, type Target } from "../target.ts";
import { parseOr } from "./json-text.ts";

const FRAMES = { RequestFrame, ResponseFrame, EventFrame };
const LONGEST_EXPLANATION = 20_000;

export const frames: Target = {
  name: "frames",
  promises: "A frame is read or explained; what was read is written and read again as the same.",
  kind: "json",
  seeds: () => [
    '{"type":"req","id":"1","method":"chat.send","params":{"sessionKey":"main","message":"hi","idempotencyKey":"k"}}',
    '{"type":"res","id":"1","ok":true,"payload":{"a":[1,2,{"b":null}]}}',
    '{"type":"res","id":"1","ok":false,"error":{"code":"INVALID_REQUEST","message":"no","retryable":true,"retryAfterMs":5}}',
    '{"type":"event","event":"tick","payload":{"ts":1},"seq":3,"stateVersion":{"presence":1,"health":2}}',
  ],
  words: ["req", "res", "event", "connect", "method", "params", "payload", "seq", "INVALID_REQUEST"],
  open: () => ({
    run(input) {
      const frame = parseOr(input);
      for (const [name, schema] of Object.entries(FRAMES)) {
        const parsed = schema().safeParse(frame);
        if (!parsed.success) {
          const why = explainIssues(parsed.error.issues, frame);
          promise(why !== "" && why.length < LONGEST_EXPLANATION, `${name}: a refusal says nothing, or far too much`);
          continue;
        }
        const again = schema().safeParse(JSON.parse(JSON.stringify(parsed.data)));
        promise(again.success, `${name}: what was read cannot be read again`);
        promise(
          JSON.stringify(again.data) === JSON.stringify(parsed.data),
          `${name}: what was read is read differently the second time`,
        );
      }
    },
  }),
};
