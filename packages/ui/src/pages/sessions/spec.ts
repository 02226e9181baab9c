// The page “Sessions”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Sessions",
  icon: "sessions",
  group: "watch",
  order: 20,
  needs: "sessions.list",
  words: ["composer", "conversation"],
  load: () => import("./page.ts"),
} satisfies PageSpec;
