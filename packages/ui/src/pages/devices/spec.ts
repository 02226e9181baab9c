// The page “Devices”: its title and icon, and where it stands in the sidebar.
import type { PageSpec } from "../index.ts";

export default {
  title: "Devices",
  icon: "devices",
  group: "keep",
  order: 70,
  needs: "device.pair.list",
  load: () => import("./page.ts"),
} satisfies PageSpec;
