// The page “Channels”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Channels",
  icon: "channels",
  group: "shape",
  order: 10,
  needs: "channels.status",
  load: () => import("./page.ts"),
} satisfies PageSpec;
