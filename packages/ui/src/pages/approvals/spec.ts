// The page “Approvals”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Approvals",
  icon: "approvals",
  group: "keep",
  order: 20,
  needs: "exec.approval.list",
  words: ["approval"],
  load: () => import("./page.ts"),
} satisfies PageSpec;
