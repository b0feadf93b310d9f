// API keys by their form alone: prefix, 34 characters, and the checksum that makes them more than text. No system knows
// those that are made here.
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const crc32 = (text) => {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
};

/** The checksum of 34 characters: six base62 digits. */
export const checksum = (random) => {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < 6; i += 1, rest = Math.floor(rest / 62)) text = base62[rest % 62] + text;
  return text;
};

/** A key of the 34 characters that begin with `text`. */
export const key_of = (text, prefix = 'sp_live_') => {
  const random = text.padEnd(34, '0').slice(0, 34);
  return prefix + random + checksum(random);
};
