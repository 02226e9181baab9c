// The page “Explain”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Explain",
  icon: "explain",
  group: "watch",
  order: 40,
  needs: "runs.explain",
  load: () => import("./page.ts"),
} satisfies PageSpec;
