// Who is let in, who has to be approved, by whom, and what ends when a grant ends.
import { believesAll } from "../../base/files/believed.test-support.ts";
import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, type FakeClock } from "@chela/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../../base/ids.ts";
import { createLog } from "../../base/log.ts";
import {
  createDevices,
  decidePairing,
  scopesCover,
  type Admission,
  type DeviceChange,
  type Devices,
  type PairedDevice,
  type PairingRequest,
} from "./room.ts";

const LOCAL = { isLocal: true, isOwner: true, hasBrowserOrigin: false, isControlUi: false };
/** On this machine, by its own token. */
const KNOWN = { ...LOCAL, isOwner: false };
const REMOTE = { isLocal: false, isOwner: false, hasBrowserOrigin: false, isControlUi: false };
const ADMIN = ["operator.admin"];

let stateDir: string;
let clock: FakeClock;
let lines: string[];
let changes: DeviceChange[];
let devices: Devices;

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "chela-devices-"));
  clock = createFakeClock();
  lines = [];
  devices = open();
});
afterEach(() => rmSync(stateDir, { recursive: true, force: true }));

function open(): Devices {
  const log = createLog({ clock, level: "silent", consoleLevel: "warn", console: (line) => lines.push(line) });
  const room = createDevices({ stateDir, clock, ids: createIds(), log, believed: believesAll });
  changes = [];
  room.onChange((change) => changes.push(change));
  return room;
}

function makeRequest(seed: string, more: Partial<PairingRequest> = {}): PairingRequest {
  const raw = createHash("sha256").update(seed).digest();
  return {
    deviceId: createHash("sha256").update(raw).digest("hex"),
    publicKey: raw.toString("base64url"),
    role: "operator",
    scopes: ["operator.read"],
    platform: "linux",
    clientId: "cli",
    clientMode: "cli",
    ...more,
  };
}

const pairedPath = (): string => join(stateDir, "devices", "paired.json");
const pendingPath = (): string => join(stateDir, "devices", "pending.json");
const kinds = (): string[] => changes.map((change) => change.kind);

function admitted(admission: Admission): Extract<Admission, { kind: "admitted" }> {
  if (admission.kind !== "admitted") throw new Error(`not admitted: ${admission.reason}`);
  return admission;
}

/** The device asks for more, and somebody says yes to it. */
function widened(request: PairingRequest): Extract<Admission, { kind: "admitted" }> {
  devices.approve(waiting(devices.admit(request, KNOWN)).request.requestId, ADMIN);
  return admitted(devices.admit(request, LOCAL));
}

function waiting(admission: Admission): Extract<Admission, { kind: "needs-approval" }> {
  if (admission.kind !== "needs-approval") throw new Error("was admitted");
  return admission;
}

describe("deciding about a pairing", () => {
  const stored: PairedDevice = {
    ...makeRequest("a"),
    scopes: ["operator.write"],
    roles: ["operator"],
    platform: "Linux",
    createdAtMs: 1,
    approvedAtMs: 1,
  };
  const page = { isLocal: true, isOwner: true, hasBrowserOrigin: true, isControlUi: true };
  const foreignPage = { isLocal: true, isOwner: true, hasBrowserOrigin: true, isControlUi: false };
  it.each([
    ["a known device", stored, {}, REMOTE, "paired", undefined],
    ["read below write", stored, { scopes: ["operator.read"] }, REMOTE, "paired", undefined],
    ["an unknown device on this machine", undefined, {}, LOCAL, "auto-approve", "not-paired"],
    ["an unknown device elsewhere", undefined, {}, REMOTE, "needs-approval", "not-paired"],
    ["the Control UI on this machine", undefined, {}, page, "auto-approve", "not-paired"],
    ["some other page on this machine", undefined, {}, foreignPage, "needs-approval", "not-paired"],
    [
      "another key under the same id",
      { ...stored, publicKey: makeRequest("b").publicKey },
      {},
      REMOTE,
      "needs-approval",
      "not-paired",
    ],
    ["another platform", stored, { platform: "ios" }, KNOWN, "needs-approval", "metadata-upgrade"],
    ["no platform any more", stored, { platform: undefined }, KNOWN, "needs-approval", "metadata-upgrade"],
    ["another platform of the owner", stored, { platform: "ios" }, LOCAL, "needs-approval", "metadata-upgrade"],
    ["a family where none was stored", stored, { deviceFamily: "Phone" }, REMOTE, "paired", undefined],
    ["another role", stored, { role: "node", scopes: [] }, KNOWN, "needs-approval", "role-upgrade"],
    ["another role of the owner", stored, { role: "node", scopes: [] }, LOCAL, "auto-approve", "role-upgrade"],
    ["more scopes of the owner", stored, { scopes: ADMIN }, LOCAL, "auto-approve", "scope-upgrade"],
    ["more scopes by a device's token", stored, { scopes: ADMIN }, KNOWN, "needs-approval", "scope-upgrade"],
    ["more scopes of the owner's page", stored, { scopes: ADMIN }, page, "auto-approve", "scope-upgrade"],
    ["more scopes of another page", stored, { scopes: ADMIN }, foreignPage, "needs-approval", "scope-upgrade"],
    ["an unknown device without the gateway's secret", undefined, {}, KNOWN, "needs-approval", "not-paired"],
    ["more scopes elsewhere", stored, { scopes: ADMIN }, REMOTE, "needs-approval", "scope-upgrade"],
    [
      "a device without roles in its record",
      { ...stored, role: undefined, roles: undefined },
      {},
      REMOTE,
      "needs-approval",
      "role-upgrade",
    ],
  ] as const)("%s", (_name, paired, more, reach, kind, reason) => {
    const decision = decidePairing({
      paired: paired as PairedDevice | undefined,
      request: makeRequest("a", more),
      ...reach,
    });
    expect(decision).toEqual(reason ? { kind, reason } : { kind });
  });
});

describe("scope coverage", () => {
  const names = [
    "operator.admin",
    "operator.read",
    "operator.write",
    "operator.approvals",
    "operator.pairing",
    "node.run",
  ];
  const subsets = Array.from({ length: 2 ** names.length }, (_, bits) =>
    names.filter((_name, index) => bits & (1 << index)),
  );

  it("never shrinks when more is granted, and never grows when more is asked", () => {
    for (const role of ["operator", "node"]) {
      for (const granted of subsets) {
        for (const asked of subsets) {
          const isCovered = scopesCover(role, granted, asked);
          for (const more of names) {
            if (isCovered) expect(scopesCover(role, [...granted, more], asked)).toBe(true);
            else expect(scopesCover(role, granted, [...asked, more])).toBe(false);
          }
        }
      }
    }
  });

  it("lets admin stand for every operator scope and for nothing else", () => {
    expect(scopesCover("operator", ADMIN, ["operator.read", "operator.anything"])).toBe(true);
    expect(scopesCover("operator", ADMIN, ["node.run"])).toBe(false);
    expect(scopesCover("node", ADMIN, ["operator.read"])).toBe(false);
    expect(scopesCover("operator", ["operator.read"], ["operator.write"])).toBe(false);
    expect(scopesCover("operator", [], [])).toBe(true);
  });
});

describe("a connecting device", () => {
  it("is paired silently on this machine and gets a private file in the known shape", () => {
    const request = makeRequest("a", { scopes: ["operator.write", "operator.read"], displayName: "Desk" });
    const { device, token, approvedFor } = admitted(devices.admit(request, LOCAL));
    expect(approvedFor).toBe("not-paired");
    expect(token.token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(JSON.parse(readFileSync(pairedPath(), "utf8"))).toEqual({
      [device.deviceId]: {
        deviceId: device.deviceId,
        publicKey: request.publicKey,
        displayName: "Desk",
        platform: "linux",
        clientId: "cli",
        clientMode: "cli",
        role: "operator",
        roles: ["operator"],
        scopes: ["operator.write", "operator.read"],
        approvedScopes: ["operator.write", "operator.read"],
        tokens: {
          operator: {
            token: token.token,
            role: "operator",
            scopes: ["operator.read", "operator.write"],
            createdAtMs: clock.now(),
          },
        },
        createdAtMs: clock.now(),
        approvedAtMs: clock.now(),
      },
    });
    expect(statSync(pairedPath()).mode & 0o777).toBe(0o600);
    expect(changes).toMatchObject([{ kind: "resolved", deviceId: device.deviceId, decision: "approved" }]);
  });

  it("is let in again with the same token and without touching the disk", () => {
    const first = admitted(devices.admit(makeRequest("a"), LOCAL));
    devices = open();
    devices.list();
    const before = statSync(pairedPath(), { bigint: true });
    const again = admitted(devices.admit(makeRequest("a"), REMOTE));
    expect(again.token.token).toBe(first.token.token);
    expect(again.approvedFor).toBeUndefined();
    expect(statSync(pairedPath(), { bigint: true }).mtimeNs).toBe(before.mtimeNs);
    expect(kinds()).toEqual([]);
  });

  it("touches no file before the first question", () => {
    expect(readdirSync(stateDir)).toEqual([]);
  });

  it("waits for approval elsewhere, and the same question is asked only once", () => {
    const first = waiting(devices.admit(makeRequest("a", { remoteIp: "192.0.2.7" }), REMOTE));
    expect(first).toMatchObject({ reason: "not-paired", isNew: true });
    const again = waiting(devices.admit(makeRequest("a", { remoteIp: "192.0.2.7" }), REMOTE));
    expect(again).toMatchObject({ isNew: false, request: { requestId: first.request.requestId } });
    expect(kinds()).toEqual(["requested"]);
    expect(devices.list().pending).toHaveLength(1);
    expect(statSync(pendingPath()).mode & 0o777).toBe(0o600);
    expect(devices.approve(first.request.requestId, ADMIN)).toMatchObject({ kind: "approved" });
    expect(devices.list().pending).toEqual([]);
    expect(devices.admit(makeRequest("a"), REMOTE).kind).toBe("admitted");
  });

  it("merges what it asks for, under a new id so that nobody approves more than was shown", () => {
    const first = waiting(devices.admit(makeRequest("a"), REMOTE)).request;
    const second = waiting(devices.admit(makeRequest("a", { role: "node", scopes: [] }), REMOTE)).request;
    const third = waiting(devices.admit(makeRequest("a", { scopes: ADMIN }), REMOTE)).request;
    expect(third).toMatchObject({ roles: ["operator", "node"], scopes: ["operator.admin", "operator.read"] });
    const adds = { roles: ["operator", "node"], scopes: ["operator.admin", "operator.read"] };
    expect(devices.list().pending).toEqual([{ ...third, expiresAtMs: third.ts + 5 * 60_000, adds }]);
    for (const old of [first, second]) expect(devices.approve(old.requestId, ADMIN).kind).toBe("unknown-request");
  });

  it("shows what is new of a device that asks for more, and nothing else", () => {
    const first = waiting(devices.admit(makeRequest("a", { scopes: ["operator.write"] }), REMOTE)).request;
    devices.approve(first.requestId, ADMIN);
    const more = ["operator.read", "operator.write", "operator.approvals"];
    const { request } = waiting(devices.admit(makeRequest("a", { scopes: more }), REMOTE));
    const adds = { roles: [], scopes: ["operator.approvals"] };
    expect(devices.list().pending).toMatchObject([{ requestId: request.requestId, isRepair: true, adds }]);
    expect(changes.at(-1)).toMatchObject({ kind: "requested", request: { adds } });
  });

  it("is not widened without a question, even on this machine, however it was paired", () => {
    const { request } = waiting(devices.admit(makeRequest("a"), REMOTE));
    devices.approve(request.requestId, ADMIN);
    admitted(devices.admit(makeRequest("b"), LOCAL));
    for (const name of ["a", "b"]) {
      const wider = waiting(devices.admit(makeRequest(name, { scopes: ADMIN }), KNOWN));
      expect(wider).toMatchObject({ reason: "scope-upgrade", request: { isRepair: true } });
      expect(admitted(devices.admit(makeRequest(name), LOCAL)).device.approvedScopes).toEqual(["operator.read"]);
      devices.approve(wider.request.requestId, ADMIN);
      expect(admitted(devices.admit(makeRequest(name, { scopes: ADMIN }), LOCAL)).scopes).toEqual(ADMIN);
    }
  });

  it("is taken in anew without a question on this machine once it was removed", () => {
    const { device } = admitted(devices.admit(makeRequest("a"), LOCAL));
    devices.remove(device.deviceId);
    expect(admitted(devices.admit(makeRequest("a", { scopes: ADMIN }), LOCAL)).approvedFor).toBe("not-paired");
  });

  it("asks anew as a node that offers something else than what is on the screen", () => {
    const asNode = { role: "node", scopes: [], caps: ["camera"], permissions: { camera: false } };
    const ask = (more: Partial<PairingRequest>) =>
      waiting(devices.admit(makeRequest("a", { ...asNode, ...more }), REMOTE)).request;
    const first = ask({ commands: ["camera.list"] });
    expect(first).toMatchObject({ commands: ["camera.list"], caps: ["camera"] });
    expect(ask({ commands: ["camera.list"] }).requestId).toBe(first.requestId);
    const second = ask({ commands: ["camera.list", "camera.snap"] });
    expect(second.requestId).not.toBe(first.requestId);
    const third = ask({ commands: ["camera.list", "camera.snap"], permissions: { camera: true } });
    expect(third.requestId).not.toBe(second.requestId);
    expect(waiting(devices.admit(makeRequest("a"), REMOTE)).request.commands).toEqual(third.commands);
    expect(devices.approve(first.requestId, ADMIN).kind).toBe("unknown-request");
  });

  it("has no authority left while its token is revoked", () => {
    const { deviceId, scopes } = makeRequest("a");
    admitted(devices.admit(makeRequest("a"), LOCAL));
    expect(devices.isGranted(deviceId, "operator", scopes)).toBe(true);
    devices.revokeToken(deviceId, "operator");
    expect(devices.isGranted(deviceId, "operator", scopes)).toBe(false);
  });

  it("asks again when its request has expired", async () => {
    const { request } = waiting(devices.admit(makeRequest("a"), REMOTE));
    await clock.advance(5 * 60_000);
    expect(devices.list().pending).toEqual([]);
    expect(devices.approve(request.requestId, ADMIN).kind).toBe("unknown-request");
    expect(waiting(devices.admit(makeRequest("a"), REMOTE)).isNew).toBe(true);
  });

  it("cannot crowd out others: five per address, fifty in all", async () => {
    const victim = waiting(devices.admit(makeRequest("victim", { remoteIp: "192.0.2.1" }), REMOTE)).request;
    for (let count = 0; count < 20; count++) {
      await clock.advance(1);
      devices.admit(makeRequest(`one ${count}`, { remoteIp: "192.0.2.2" }), REMOTE);
    }
    expect(devices.list().pending.filter((request) => request.remoteIp === "192.0.2.2")).toHaveLength(5);
    for (let count = 0; count < 200; count++) {
      devices.admit(makeRequest(`many ${count}`, { remoteIp: `198.51.100.${count % 20}` }), REMOTE);
    }
    expect(devices.list().pending).toHaveLength(50);
    expect(devices.list().pending.map((request) => request.requestId)).toContain(victim.requestId);
  });

  it("gets no more scopes than were written down", () => {
    const scopes = Array.from({ length: 100 }, (_, index) => ` operator.s${index} `);
    const first = admitted(devices.admit(makeRequest("a", { scopes }), LOCAL));
    expect(first.scopes).toHaveLength(32);
    expect(first.device.approvedScopes).toEqual(first.scopes);
    expect(admitted(devices.admit(makeRequest("a", { scopes }), REMOTE)).scopes).toEqual(first.scopes);
  });

  it("cannot fill the disk with long names", () => {
    const long = "x".repeat(60_000);
    const scopes = Array.from({ length: 5_000 }, (_, index) => `operator.${index}${long.slice(0, 200)}`);
    devices.admit(makeRequest("a", { displayName: long, platform: long, clientId: long, scopes }), REMOTE);
    expect(statSync(pendingPath()).size).toBeLessThan(10_000);
    expect(
      waiting(devices.admit(makeRequest("a", { displayName: long, platform: long, clientId: long, scopes }), REMOTE))
        .isNew,
    ).toBe(false);
  });
});

describe("approving", () => {
  it.each([
    [["operator.pairing"], ["operator.read"], "operator.read"],
    [["operator.pairing", "operator.write"], ["operator.read", "operator.admin"], "operator.admin"],
    [["operator.pairing", "operator.write"], ["operator.read"], undefined],
    [["operator.admin"], ["operator.admin", "custom.scope"], undefined],
    [["operator.pairing", "operator.write"], ["custom.scope"], "custom.scope"],
  ])("holding %j, of a request for %j", (held, asked, missing) => {
    const { request } = waiting(devices.admit(makeRequest("a", { scopes: asked }), REMOTE));
    const outcome = devices.approve(request.requestId, held);
    if (missing === undefined) expect(outcome.kind).toBe("approved");
    else {
      expect(outcome).toEqual({ kind: "beyond-approver", missing });
      expect(devices.find(request.deviceId)).toBeUndefined();
      expect(devices.list().pending).toHaveLength(1);
    }
  });

  it("adds a role to an intact pairing, but not for somebody who does not hold what it already has", () => {
    admitted(devices.admit(makeRequest("a", { scopes: ADMIN }), LOCAL));
    const { request, reason } = waiting(devices.admit(makeRequest("a", { role: "node", scopes: [] }), KNOWN));
    expect(reason).toBe("role-upgrade");
    expect(devices.approve(request.requestId, ["operator.pairing"]).kind).toBe("beyond-approver");
    expect(devices.approve(request.requestId, ADMIN)).toMatchObject({ device: { roles: ["operator", "node"] } });
    expect(devices.admit(makeRequest("a", { scopes: ADMIN }), REMOTE).kind).toBe("admitted");
    expect(devices.admit(makeRequest("a", { role: "node", scopes: [] }), REMOTE).kind).toBe("admitted");
  });

  it("of a device that changed its platform keeps nothing of the old grants", () => {
    const before = admitted(devices.admit(makeRequest("a", { scopes: ADMIN }), LOCAL));
    const { request } = waiting(devices.admit(makeRequest("a", { platform: "ios" }), KNOWN));
    devices.approve(request.requestId, ["operator.read"]);
    expect(devices.find(request.deviceId)).toMatchObject({ approvedScopes: ["operator.read"], platform: "ios" });
    expect(changes).toContainEqual({ kind: "revoked", deviceId: request.deviceId, role: "operator" });
    const claim = { deviceId: request.deviceId, role: "operator", scopes: [], token: before.token.token };
    expect(devices.verifyToken(claim).kind).toBe("refused");
    expect(devices.isGranted(request.deviceId, "operator", ADMIN)).toBe(false);
  });

  it("of a removed device starts from nothing", () => {
    const { device } = admitted(devices.admit(makeRequest("a", { scopes: ADMIN }), LOCAL));
    devices.remove(device.deviceId);
    const { request } = waiting(devices.admit(makeRequest("a"), REMOTE));
    expect(devices.approve(request.requestId, ADMIN)).toMatchObject({ device: { approvedScopes: ["operator.read"] } });
    expect(devices.find(device.deviceId)?.tokens).toBeUndefined();
  });

  it("keeps the spelling of the platform that was approved first", () => {
    admitted(devices.admit(makeRequest("a", { platform: "Linux" }), LOCAL));
    const { device } = widened(makeRequest("a", { platform: "LINUX", scopes: ADMIN }));
    expect(device.platform).toBe("Linux");
  });

  it("can be refused", () => {
    const { request } = waiting(devices.admit(makeRequest("a"), REMOTE));
    const { requestId, deviceId } = request;
    expect(devices.reject(requestId)).toEqual({ kind: "rejected", requestId, deviceId });
    expect(devices.reject(requestId)).toEqual({ kind: "unknown-request" });
    expect(changes.at(-1)).toMatchObject({ kind: "resolved", requestId, decision: "rejected" });
  });
});

describe("device tokens", () => {
  it.each([
    ["the right one", {}, "ok"],
    ["a wrong one", { token: "wrong" }, "mismatch"],
    ["an empty one", { token: "" }, "mismatch"],
    ["one of another role", { role: "node" }, "unknown-role"],
    ["one of a role named like JavaScript's own", { role: "__proto__" }, "unknown-role"],
    ["one of an unknown device", { deviceId: "0".repeat(64) }, "unknown-device"],
    ["one that must reach further", { scopes: ADMIN }, "scope"],
  ])("%s", (_name, more, expected) => {
    const { device, token } = admitted(devices.admit(makeRequest("a"), LOCAL));
    const claim = {
      deviceId: device.deviceId,
      role: "operator",
      scopes: ["operator.read"],
      token: token.token,
      ...more,
    };
    const check = devices.verifyToken(claim);
    expect(check.kind === "ok" ? "ok" : check.reason).toBe(expected);
  });

  it("are replaced when a connection may have more than the old one says", () => {
    const first = admitted(devices.admit(makeRequest("a"), LOCAL));
    const second = widened(makeRequest("a", { scopes: ["operator.approvals"] }));
    expect(second.token.scopes).toEqual(["operator.approvals", "operator.read"]);
    expect(changes).toContainEqual({
      kind: "rotated",
      deviceId: first.device.deviceId,
      role: "operator",
      cause: "reissued",
    });
    // Neither of the two connections makes the other one's token useless from now on.
    expect(admitted(devices.admit(makeRequest("a"), LOCAL)).token.token).toBe(second.token.token);
  });

  it("end when revoked; the next full login gets a new one", () => {
    const { device, token } = admitted(devices.admit(makeRequest("a"), LOCAL));
    const { deviceId } = device;
    const claim = { deviceId, role: "operator", scopes: [], token: token.token };
    expect(devices.revokeToken(deviceId, "operator")).toEqual({
      kind: "revoked",
      deviceId,
      role: "operator",
      revokedAtMs: clock.now(),
    });
    expect(changes.at(-1)).toEqual({ kind: "revoked", deviceId, role: "operator" });
    expect(devices.verifyToken(claim)).toEqual({ kind: "refused", reason: "revoked" });
    expect(admitted(devices.admit(makeRequest("a"), LOCAL)).token.token).not.toBe(token.token);
    expect(devices.verifyToken(claim)).toEqual({ kind: "refused", reason: "mismatch" });
    expect(devices.revokeToken(deviceId, "node")).toEqual({ kind: "unknown-token" });
  });

  it("rotate within what was approved and what the caller holds", () => {
    const scopes = ["operator.read", "operator.write"];
    const { device, token } = admitted(devices.admit(makeRequest("a", { scopes }), LOCAL));
    const { deviceId } = device;
    const rotate = (asked: string[] | undefined, callerScopes: string[]) =>
      devices.rotateToken(deviceId, "operator", { ...(asked ? { scopes: asked } : {}), callerScopes });
    expect(rotate(ADMIN, ADMIN)).toEqual({ kind: "beyond-approved", missing: "operator.admin" });
    expect(rotate(undefined, ["operator.pairing"])).toMatchObject({ kind: "beyond-caller" });
    expect(devices.rotateToken(deviceId, "node", { callerScopes: ADMIN })).toEqual({ kind: "unknown-token" });
    expect(kinds()).toEqual(["resolved"]);
    const rotated = rotate(["operator.read"], ADMIN);
    expect(rotated).toMatchObject({ kind: "rotated", scopes: ["operator.read"], rotatedAtMs: clock.now() });
    expect(changes.at(-1)).toEqual({ kind: "rotated", deviceId, role: "operator", cause: "requested" });
    expect(devices.verifyToken({ deviceId, role: "operator", scopes: [], token: token.token }).kind).toBe("refused");
  });

  it("are worth no more than the approval, even when the file says otherwise", () => {
    const { device, token } = admitted(devices.admit(makeRequest("a", { scopes: ADMIN }), LOCAL));
    const file = JSON.parse(readFileSync(pairedPath(), "utf8"));
    file[device.deviceId].approvedScopes = ["operator.read"];
    writeFileSync(pairedPath(), JSON.stringify(file));
    const claim = { deviceId: device.deviceId, role: "operator", scopes: ADMIN, token: token.token };
    expect(devices.verifyToken(claim)).toEqual({ kind: "refused", reason: "scope" });
  });

  it("remember when they were used, written at most once a minute", async () => {
    const { device, token } = admitted(devices.admit(makeRequest("a"), LOCAL));
    const claim = { deviceId: device.deviceId, role: "operator", scopes: [], token: token.token };
    const written = (): number | undefined =>
      JSON.parse(readFileSync(pairedPath(), "utf8"))[device.deviceId].tokens.operator.lastUsedAtMs;
    await clock.advance(10);
    const used = clock.now();
    devices.verifyToken(claim);
    expect(written()).toBeUndefined();
    await clock.advance(60_000);
    expect(written()).toBe(used);
    devices.verifyToken(claim);
    devices.flush();
    expect(written()).toBe(clock.now());
    expect(clock.waiting).toBe(0);
  });

  it("never show in a list", () => {
    const { token } = admitted(devices.admit(makeRequest("a"), LOCAL));
    const shown = devices.list();
    expect(shown.paired).toMatchObject([{ tokens: [{ role: "operator", scopes: ["operator.read"] }] }]);
    expect(JSON.stringify(shown)).not.toContain(token.token);
    expect(JSON.stringify(shown)).not.toContain("approvedScopes");
  });

  it("never show in a list, wherever another program has put them", () => {
    const { device } = admitted(devices.admit(makeRequest("a"), LOCAL));
    const book = JSON.parse(readFileSync(pairedPath(), "utf8"));
    writeFileSync(pairedPath(), JSON.stringify({ ...book, [device.deviceId]: { ...device, token: "hidden" } }));
    expect(devices.list().paired).toHaveLength(1);
    expect(JSON.stringify(devices.list())).not.toContain("hidden");
  });
});

describe("the files", () => {
  it("are read again when another program changed them, and lost grants are announced", () => {
    const { device } = admitted(devices.admit(makeRequest("a"), LOCAL));
    writeFileSync(pairedPath(), "{}");
    expect(devices.find(device.deviceId)).toBeUndefined();
    expect(changes.at(-1)).toEqual({ kind: "removed", deviceId: device.deviceId });
  });

  it("end the authority of live connections within a second of an outside change", async () => {
    const { device } = admitted(devices.admit(makeRequest("a"), LOCAL));
    expect(devices.isGranted(device.deviceId, "operator", ["operator.read"])).toBe(true);
    writeFileSync(pairedPath(), "{}");
    await clock.advance(1_000);
    expect(devices.isGranted(device.deviceId, "operator", ["operator.read"])).toBe(false);
    expect(changes.at(-1)).toEqual({ kind: "removed", deviceId: device.deviceId });
  });

  it("end it at once when we change them ourselves", () => {
    const { device } = admitted(devices.admit(makeRequest("a"), LOCAL));
    devices.remove(device.deviceId);
    expect(devices.isGranted(device.deviceId, "operator", [])).toBe(false);
    expect(devices.remove(device.deviceId)).toEqual({ kind: "unknown-device" });
  });

  it.each([["{ not json"], ["[1,2]"], ["null"]])("are set aside and reported when they hold %s", (text) => {
    mkdirSync(join(stateDir, "devices"));
    writeFileSync(pairedPath(), text);
    expect(devices.list().paired).toEqual([]);
    admitted(devices.admit(makeRequest("a"), LOCAL));
    expect(readFileSync(`${pairedPath()}.damaged.${clock.now()}`, "utf8")).toBe(text);
    expect(lines.join()).toContain("set aside");
  });

  it("keep the good entries beside a bad one, unknown fields included, and a copy of all", () => {
    const { device } = admitted(devices.admit(makeRequest("a"), LOCAL));
    const file = JSON.parse(readFileSync(pairedPath(), "utf8"));
    file[device.deviceId].colour = "red";
    const wrong = { bad: { deviceId: 7 }, ["0".repeat(64)]: { ...file[device.deviceId] } };
    writeFileSync(pairedPath(), JSON.stringify({ ...file, ...wrong }));
    devices = open();
    widened(makeRequest("a", { scopes: ADMIN }));
    const after = JSON.parse(readFileSync(pairedPath(), "utf8"));
    expect(Object.keys(after)).toEqual([device.deviceId]);
    expect(after[device.deviceId].colour).toBe("red");
    const copy = readdirSync(join(stateDir, "devices")).find((name) => name.includes("damaged")) ?? "";
    expect(readFileSync(join(stateDir, "devices", copy), "utf8")).toContain('"deviceId":7');
    expect(statSync(join(stateDir, "devices", copy)).mode & 0o777).toBe(0o600);
  });

  it("come from the old place as long as the new one does not exist", () => {
    admitted(devices.admit(makeRequest("a"), LOCAL));
    const legacy = join(stateDir, "credentials", "paired.json");
    mkdirSync(join(stateDir, "credentials"));
    writeFileSync(legacy, readFileSync(pairedPath()));
    rmSync(pairedPath());
    devices = open();
    expect(devices.list().paired).toHaveLength(1);
    devices.remove(makeRequest("a").deviceId);
    expect(existsSync(legacy)).toBe(true);
    devices = open();
    expect(devices.list().paired).toEqual([]);
  });

  it("that cannot be written leave everything as it was", () => {
    writeFileSync(join(stateDir, "devices"), "in the way");
    expect(() => devices.admit(makeRequest("a"), LOCAL)).toThrow(/cannot be written/);
    expect(devices.find(makeRequest("a").deviceId)).toBeUndefined();
    expect(changes).toEqual([]);
  });

  it("with hostile keys change nobody's prototype", () => {
    mkdirSync(join(stateDir, "devices"));
    writeFileSync(pairedPath(), '{"__proto__":{"deviceId":"x"},"constructor":{"tokens":{"__proto__":{"token":"t"}}}}');
    expect(devices.list().paired).toEqual([]);
    expect(({} as Record<string, unknown>)["deviceId"]).toBeUndefined();
  });

  it("survive random damage without a crash and without a gain", () => {
    admitted(devices.admit(makeRequest("a"), LOCAL));
    const good = readFileSync(pairedPath());
    const known = makeRequest("a").deviceId;
    for (let round = 0; round < 50; round++) {
      const bad = Buffer.from(good);
      const [place = 0, value = 0] = randomBytes(2);
      bad[(place * 7) % bad.length] = value;
      writeFileSync(pairedPath(), bad);
      const found = devices.list().paired;
      expect(found.every((device) => device.deviceId === known)).toBe(true);
      expect(devices.isGranted(known, "operator", ADMIN)).toBe(false);
    }
  });
});
