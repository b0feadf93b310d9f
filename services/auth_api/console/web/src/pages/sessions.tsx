// The person's own sessions: where they are signed in, and how to end that.
import { useState } from 'preact/hooks';
import { api, body_of, csrf, type listed_session } from '../api/client';
import { use_action, use_load } from '../api/load';
import { use_format, use_text } from '../i18n/language';
import { use_session_context } from '../session/session';
import { Badge, Button, Done, Loaded, PageHead, ProblemNote, Time } from '../ui/basics';
import { FormDialog } from '../ui/forms';

const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'], [/OPR\/|Opera/, 'Opera'], [/SamsungBrowser\//, 'Samsung Internet'], [/Firefox\/|FxiOS\//, 'Firefox'],
  [/HeadlessChrome\//, 'Headless Chrome'], [/Chrome\/|CriOS\//, 'Chrome'], [/Safari\//, 'Safari'], [/curl\//, 'curl'],
];
const systems: [RegExp, string][] = [
  [/iPhone|iPad|iPod/, 'iOS'], [/Android/, 'Android'], [/Windows/, 'Windows'], [/CrOS/, 'ChromeOS'], [/Mac OS X|Macintosh/, 'macOS'], [/Linux/, 'Linux'],
];
const first = (list: [RegExp, string][], text: string): string | null => list.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** "Firefox" and "Windows" out of a User-Agent; good enough to recognize one's own. */
const browser_name = (user_agent: string | null): { browser: string | null; system: string | null } => ({ browser: first(browsers, user_agent ?? ''), system: first(systems, user_agent ?? '') });

const use_browser_label = () => {
  const text = use_text();
  return ({ userAgent }: listed_session): string => {
    const { browser, system } = browser_name(userAgent);
    if (browser && system) return text.sessions.on(browser, system);
    return browser ?? system ?? text.sessions.unknown_browser;
  };
};

const Row = ({ session, ended }: { session: listed_session; ended: () => void }) => {
  const text = use_text();
  const label = use_browser_label()(session);
  const { sign_out } = use_session_context();
  const end = use_action(async () => {
    if (session.current) return sign_out();
    await body_of(api.DELETE('/sessions/{id}', { params: { path: { id: session.id }, header: csrf() } }));
    return ended();
  });
  return (
    <tr>
      <th scope="row" title={session.userAgent ?? ''}>{label} {session.current && <Badge tone="accent">{text.sessions.this_browser}</Badge>}</th>
      <td data-label={text.sessions.address}>{session.ipAddress ? <code>{session.ipAddress}</code> : <span class="quiet">–</span>}</td>
      <td data-label={text.sessions.last_seen}><Time at={session.lastSeenAt} /></td>
      <td data-label={text.sessions.signed_in}><Time at={session.createdAt} form="minute" /></td>
      <td data-label={text.sessions.expires}><Time at={session.expiresAt} /></td>
      <td class="row-actions"><Button kind="quiet danger" busy={end.busy} aria-label={`${text.sessions.end}: ${label}`} onClick={() => void end.run()}>{text.sessions.end}</Button><ProblemNote problem={end.problem} /></td>
    </tr>
  );
};

const EverywhereDialog = ({ close }: { close: () => void }) => {
  const text = use_text();
  const { sign_out } = use_session_context();
  const end = use_action(() => sign_out(true));
  return (
    <FormDialog title={text.sessions.everywhere_title} close={close} submit={text.sessions.everywhere} danger busy={end.busy} problem={end.problem} run={() => void end.run()}>
      <p>{text.sessions.everywhere_intro}</p>
    </FormDialog>
  );
};

export const SessionsPage = () => {
  const text = use_text();
  const format = use_format();
  const sessions = use_load('sessions', (signal) => body_of(api.GET('/sessions', { signal })));
  const [everywhere, set_everywhere] = useState(false);
  const [said, say] = useState<string | null>(null);
  const ended = () => {
    say(text.sessions.ended);
    sessions.reload();
  };
  return (
    <>
      <PageHead title={text.sessions.title} intro={text.sessions.intro}><Button kind="danger" onClick={() => set_everywhere(true)}>{text.sessions.everywhere}</Button></PageHead>
      <Done>{said}</Done>
      <Loaded of={sessions}>{({ data }) => (
        <table class="records">
          <caption class="unseen">{text.sessions.title}</caption>
          <thead>
            <tr>
              <th scope="col">{text.sessions.browser}</th><th scope="col">{text.sessions.address}</th><th scope="col">{text.sessions.last_seen}</th>
              <th scope="col">{text.sessions.signed_in}</th><th scope="col">{text.sessions.expires}</th><th scope="col"><span class="unseen">{text.common.actions}</span></th>
            </tr>
          </thead>
          <tbody>{data.map((session) => <Row key={session.id} session={session} ended={ended} />)}</tbody>
        </table>
      )}</Loaded>
      <p class="small quiet">{text.sessions.unknown_hint} {text.common.times_in(format.zone)}</p>
      {everywhere && <EverywhereDialog close={() => set_everywhere(false)} />}
    </>
  );
};
