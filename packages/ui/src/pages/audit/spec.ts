// The page “Audit”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Audit",
  icon: "audit",
  group: "keep",
  order: 40,
  needs: "audit.list",
  load: () => import("./page.ts"),
} satisfies PageSpec;
