// Jobs to begin with, filled in.
import type { InOtherWords, Sections } from "../../words/index.ts";
import { emptyDraft, type JobDraft } from "./editor/job-draft.ts";

export const EXAMPLES = ["weather", "reminder", "check"] as const;
export type Example = (typeof EXAMPLES)[number];

const WORKDAYS = [1, 2, 3, 4, 5];

export function exampleDraft(example: Example, texts: InOtherWords<Sections["cron"]>): JobDraft {
  const empty = emptyDraft();
  switch (example) {
    case "weather":
      return {
        ...empty,
        name: texts.example_weatherName,
        message: texts.example_weatherText,
        when: { ...empty.when, kind: "times", times: ["07:30"], weekdays: WORKDAYS },
      };
    case "reminder":
      return {
        ...empty,
        name: texts.example_reminderName,
        what: "reminder",
        reminder: texts.example_reminderText,
        when: { ...empty.when, kind: "once" },
      };
    case "check":
      return {
        ...empty,
        name: texts.example_checkName,
        what: "command",
        command: "curl -fsS -o /dev/null https://example.com",
        when: { ...empty.when, kind: "every", count: "15", unit: "minutes" },
        where: "none",
        alert: "after",
        alertAfter: "1",
      };
  }
}
