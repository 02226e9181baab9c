// Waiting for work that may never end, which is in the sdk: other processes of ours need it, too.
export { waitAtMost } from "@chela/sdk/base";
