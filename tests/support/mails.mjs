// The mails of the running system, which writes them as files for development and tests.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { settings_of } from '../e2e/support/environment.mjs';

const folder = () => {
  const { RECRUITING_MAIL_URL: url = '' } = settings_of('auth-api');
  assert.match(url, /^file:/, 'auth-api writes no mails to files: RECRUITING_MAIL_URL');
  return url.replace(/^file:(\/\/(?=\/))?/, '');
};

const written_at = (name) => statSync(join(folder(), name)).mtimeMs;

/** The mails to an address so far, in the order in which they were sent. */
export const mails_to = (address) =>
  (existsSync(folder()) ? readdirSync(folder()) : []).filter((name) => name.endsWith('.eml')).sort((a, b) => written_at(a) - written_at(b))
    .map((name) => readFileSync(join(folder(), name), 'utf8')).filter((text) => text.slice(0, text.search(/\r?\n\r?\n/)).includes(`<${address}>`));

/** The mails to an address, oldest first, once there are so many. */
export const await_mails = async (address, count) => {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const mails = mails_to(address);
    if (mails.length >= count) return mails.sort((a, b) => Date.parse(a.match(/^Date: (.*)$/m)[1]) - Date.parse(b.match(/^Date: (.*)$/m)[1]));
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`there are ${mails_to(address).length} mails to ${address}, not ${count}`);
};

/** The path of the interview's page, from any mail that links it. */
export const interview_path = (mail) => {
  const unfolded = mail.replace(/=\r?\n/g, '').replace(/=3D/g, '=');
  return unfolded.match(/\/interviews\/[A-Za-z0-9_-]{43}(?![A-Za-z0-9_/-])/)[0];
};

/** The path of the link that joins the interview; null: the mail has none. */
export const join_path = (mail) => mail.replace(/=\r?\n/g, '').match(/\/interviews\/[A-Za-z0-9_-]{43}\/join/)?.[0] ?? null;

/** The mail's plain text: up to a boundary, for a link's random part may put -- at the start of a line. */
export const text_of = (mail) => {
  const [, part] = mail.match(/^Content-Type: text\/plain;[^]*?\r?\n\r?\n([^]*?)\r?\n--=_/m);
  const bytes = part.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

/** The invitation in a mail, as text of iCalendar with its lines unfolded; '': it has none. */
export const invitation_of = (mail) => {
  const part = mail.match(/^Content-Type: text\/calendar;[^]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/m)?.[1] ?? '';
  return Buffer.from(part, 'base64').toString('utf8').replace(/\r\n[ \t]/g, '');
};

const decoded = (part) => Buffer.from(part.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))), 'latin1').toString('utf8');

/** The mail's HTML. */
export const html_of = (mail) => decoded(mail.match(/^Content-Type: text\/html;[^]*?\r?\n\r?\n([^]*?)\r?\n--=_/m)[1]);

/** The path of the link that declines the interview; null: the mail has none. */
export const decline_path = (mail) => text_of(mail).match(/\/interviews\/[A-Za-z0-9_-]{43}\/decline/)?.[0] ?? null;

/** The subject, decoded. */
export const subject_of = (mail) => {
  const raw = mail.match(/^Subject: (.*(?:\r?\n[ \t].*)*)/m)[1].replace(/\r?\n[ \t]/g, ' ');
  return raw.replace(/=\?utf-8\?b\?([^?]*)\?=\s*/gi, (_, text) => Buffer.from(text, 'base64').toString('utf8')).replace(/\s+$/, '');
};
