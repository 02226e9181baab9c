// The calendar day of a time, which is written in the sdk: other processes of ours need it, too.
export { dayWriter } from "@chela/sdk/base";
