// The real clock, which is in the sdk: other processes of ours need it, too.
export { systemClock } from "@chela/sdk/base";
