// Addresses nobody on the open internet has, in every spelling that some program somewhere understands.

type Bytes = readonly [number, number, number, number];

/** One of each kind of network that is not the open internet. */
const INNER_V4: readonly Bytes[] = [
  [127, 0, 0, 1],
  [127, 255, 255, 254],
  [0, 0, 0, 0],
  [0, 1, 2, 3],
  [10, 0, 0, 1],
  [172, 16, 5, 4],
  [172, 31, 255, 1],
  [192, 168, 1, 1],
  [169, 254, 169, 254],
  [100, 64, 0, 1],
  [100, 127, 255, 254],
  [192, 0, 0, 192],
  [192, 0, 2, 7],
  [198, 18, 0, 1],
  [198, 51, 100, 1],
  [203, 0, 113, 1],
  [224, 0, 0, 251],
  [239, 255, 255, 250],
  [240, 0, 0, 1],
  [255, 255, 255, 255],
  [168, 63, 129, 16],
];

const INNER_V6: readonly string[] = [
  ..."::1 :: 0:0:0:0:0:0:0:1 0000:0000:0000:0000:0000:0000:0000:0001 ::0001 0::1 ::0".split(" "),
  ..."fc00::1 fd00::1 fd00:ec2::254 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80::1 febf::1 fec0::1".split(" "),
  ..."ff00::1 ff02::1 ff02::fb ff0e::1 FF05::2 100::1 2001:db8::1 2001:DB8:0:0::1 3fff::1 2001:2::1".split(" "),
  ..."2001:10::1 2001:20::1 5f00::1 4000::1 8000::1 e000::1 64:ff9b:1::1 64:ff9b:2::1".split(" "),
];

/** Names that lead nowhere else, whatever a resolver says of them. */
const INNER_NAMES: readonly string[] = [
  ..."localhost LOCALHOST localhost. LocalHost. app.localhost a.b.localhost printer.local PRINTER.LOCAL".split(" "),
  ..."metadata.google.internal vault.internal router.home.arpa ｌｏｃａｌｈｏｓｔ local%68ost localhost%2e".split(" "),
  ..."ⓛⓞⓒⓐⓛⓗⓞⓢⓣ l%6fcalhost.".split(" "),
];

/** What stands around a host to hide it. */
const DISGUISES: readonly string[] = [
  "http://example.com@127.0.0.1/",
  "http://example.com:80@127.0.0.1/",
  "http://127.0.0.1#@example.com/",
  "http://127.0.0.1?@example.com/",
  "http://127.0.0.1\\@example.com/",
  "http:\\\\127.0.0.1/",
  "http:127.0.0.1",
  "http:/127.0.0.1/",
  "http:////127.0.0.1/",
  "hTtP://127.0.0.1/",
  " http://127.0.0.1/ ",
  "\thttp://127.0.0.1/",
  "ht\ntp://127.0.0.1/",
  "http://127.0.\n0.1/",
  "http://127.0.0.1:80/",
  "http://127.0.0.1:080/",
  "http://127.0.0.1:/",
  "http://[::1]:80/",
  "http://[::ffff:127.0.0.1]:443/",
  "https://127.0.0.1/",
  "http://user:pass@example.com/",
  "http://example.com:22/",
  "http://example.com:25/",
  "http://example.com:6379/",
  "http://[fe80::1%25lo]/",
  "http://[::1%25lo]/",
  "http://[fe80::1%lo]/",
  "file:///etc/passwd",
  "file://localhost/etc/passwd",
  "ftp://127.0.0.1/",
  "gopher://127.0.0.1:70/_x",
  "dict://127.0.0.1:11211/stat",
  "ldap://127.0.0.1/",
  "jar:http://127.0.0.1!/",
  "unix:///var/run/docker.sock",
  "http+unix://%2Fvar%2Frun%2Fdocker.sock/info",
  "data:text/plain,inside",
  "blob:http://127.0.0.1/x",
  "view-source:http://127.0.0.1/",
  "//127.0.0.1/",
];

/** Ports above 1024 are fine for a public host, so this one is no refusal by itself. */
const PUBLIC_AFTER_ALL = ["http://example.com:6379/"];

/** Hosts as they stand in a web address; IPv6 in brackets. */
export const INNER_HOSTS: readonly string[] = [
  ...new Set([
    ...INNER_V4.flatMap(spellings),
    ...INNER_V6.map((address) => `[${address}]`),
    ...INNER_V4.flatMap(insideV6).map((address) => `[${address}]`),
    ...INNER_NAMES,
  ]),
];

/** What a resolver may say of a harmless name. */
export const INNER_ANSWERS: readonly string[] = [
  ...INNER_V4.map((bytes) => bytes.join(".")),
  ...INNER_V6,
  ...INNER_V4.flatMap(insideV6),
];

/** Whole addresses that must be refused as they are. */
export const REFUSED_ADDRESSES: readonly string[] = [
  ...INNER_HOSTS.map((host) => `http://${host}/`),
  ...DISGUISES.filter((url) => !PUBLIC_AFTER_ALL.includes(url)),
];

function spellings(bytes: Bytes): string[] {
  const [a, b, c, d] = bytes;
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const dotted = bytes.join(".");
  const in16 = (value: number): string => `0x${value.toString(16)}`;
  const in8 = (value: number): string => `0${value.toString(8)}`;
  return [
    dotted,
    `${dotted}.`,
    String(whole),
    in16(whole),
    `0X${whole.toString(16).toUpperCase()}`,
    in8(whole),
    `0${in8(whole)}`,
    bytes.map(in16).join("."),
    bytes.map(in8).join("."),
    bytes.map((byte) => `000${in8(byte)}`).join("."),
    `${in16(a)}.${b}.${in8(c)}.${d}`,
    `${a}.${whole & 0xffffff}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${in16(a)}.${in16(whole & 0xffffff)}`,
    dotted.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replaceAll(".", "。"),
    dotted.replaceAll(".", "．"),
    dotted.replaceAll(".", "%2e"),
    dotted.replaceAll(/\d/g, (digit) => `%3${digit}`),
    dotted.replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
  ];
}

function insideV6(bytes: Bytes): string[] {
  const [a, b, c, d] = bytes;
  const dotted = bytes.join(".");
  const groups = [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16));
  const hex = groups.join(":");
  const padded = groups.map((group) => group.padStart(4, "0")).join(":");
  const inverted = [(a << 8) | b, (c << 8) | d].map((group) => (group ^ 0xffff).toString(16)).join(":");
  return [
    `::ffff:${dotted}`,
    `::ffff:${hex}`,
    `::FFFF:${hex.toUpperCase()}`,
    `0:0:0:0:0:ffff:${dotted}`,
    `0000:0000:0000:0000:0000:ffff:${padded}`,
    `::${dotted}`,
    `::ffff:0:${dotted}`,
    `64:ff9b::${dotted}`,
    `64:ff9b::${hex}`,
    `64:ff9b:1::${dotted}`,
    `2002:${hex}::`,
    `2002:${hex}::1`,
    `2001:0:4136:e378:8000:63bf:${inverted}`,
    `2001::${hex}`,
  ];
}
