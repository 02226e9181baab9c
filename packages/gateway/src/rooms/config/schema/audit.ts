// `audit`: how long the audit trail is kept. A section of ours; other programs do not know it.
import { block, key, section, wholeNumber } from "@chela/sdk/config";

export const auditSection = section("How long it is kept who did what.", { reload: "live" }, () =>
  block(() => ({
    retentionDays: key(
      wholeNumber(1, 36_500),
      "For how many days the audit trail is kept; what is older is let go once a day, and the rest can still be verified.",
      { preset: 365 },
    ),
  })),
);
