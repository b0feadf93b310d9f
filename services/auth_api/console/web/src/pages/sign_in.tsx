// Signing in: an address is asked for, then the mailed link opens this page again, with a token behind the #.
import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, body_of, type session } from '../api/client';
import { use_action, use_load } from '../api/load';
import { type language, use_language, use_text } from '../i18n/language';
import { home, kept_path, remember_path, safe_path, take_path } from '../session/return_path';
import { is_chosen, use_session_context } from '../session/session';
import { Button, PageHead, ProblemNote, Waiting } from '../ui/basics';
import { field_error, first_wrong, is_email, TextField } from '../ui/forms';
import { Icon } from '../ui/icons';
import { Plain } from '../ui/layout';

const token_of = (): string | null => new URLSearchParams(location.hash.slice(1)).get('token');

/** The link of a second mail, opened in the same tab, changes nothing but the part behind the #. */
const use_token = (): string | null => {
  const [token, set_token] = useState(token_of);
  useEffect(() => {
    const read = () => set_token(token_of());
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  return token;
};

const ask_for_link = async (email: string, language: language): Promise<void> => {
  await body_of(api.POST('/sign-in-links', { body: { email, language } }));
};

const Sent = ({ email, other }: { email: string; other: () => void }) => {
  const { text, language } = use_language();
  const [again, set_again] = useState(false);
  const send = use_action(async () => {
    await ask_for_link(email, language);
    set_again(true);
  });
  return (
    <>
      <span class="hero" aria-hidden="true"><Icon name="mail" /></span>
      <PageHead title={text.sign_in.sent_title} />
      <p>{text.sign_in.sent(email)}</p>
      <p class="quiet">{text.sign_in.sent_hint}</p>
      <div role="status">{again && <p class="note good"><Icon name="check" />{text.sign_in.sent_again}</p>}</div>
      <ProblemNote problem={send.problem} />
      <p class="card-foot"><Button busy={send.busy} onClick={() => void send.run()}>{text.sign_in.again}</Button><Button kind="quiet" onClick={other}>{text.sign_in.other}</Button></p>
    </>
  );
};

const longest_return = 500; // what /console/api/oidc/start takes

/** The provider's page is another site's: the browser goes there, and comes back to the wanted page. */
const ProviderButton = ({ name, wanted }: { name: string; wanted: string | undefined }) => {
  const text = use_text();
  const [leaving, set_leaving] = useState(false);
  useEffect(() => {
    const back = () => set_leaving(false); // by the browser's back button
    addEventListener('pageshow', back);
    return () => removeEventListener('pageshow', back);
  }, []);
  const leave = () => {
    const path = safe_path(wanted) ?? kept_path();
    set_leaving(true);
    location.assign(`/console/api/oidc/start?returnTo=${encodeURIComponent(path.length <= longest_return ? path : home)}`);
  };
  return <Button kind="primary" busy={leaving} onClick={leave}>{text.sign_in.with_provider(name)}</Button>;
};

const ProviderProblem = ({ code }: { code: string | undefined }) => {
  const { sign_in } = use_text();
  if (code === undefined) return null;
  const known = Object.hasOwn(sign_in.provider_problems, code) ? sign_in.provider_problems[code as keyof typeof sign_in.provider_problems] : sign_in.provider_problems.other;
  return <div class={`note ${code === 'canceled' ? '' : 'bad'}`} role="alert"><Icon name="warning" /><p>{known}</p></div>;
};

type form_options = { ended: boolean; problem: string | undefined; wanted: string | undefined };
const AddressForm = ({ ended, problem, wanted }: form_options) => {
  const { text, language } = use_language();
  const [email, set_email] = useState('');
  const [bad, set_bad] = useState(false);
  const [sent, set_sent] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const settings = use_load('settings', (signal) => body_of(api.GET('/settings', { signal })));
  const send = use_action(async () => {
    await ask_for_link(email.trim(), language);
    set_sent(true);
  });
  if (sent) return <Sent email={email.trim()} other={() => set_sent(false)} />;
  const submit = (event: Event) => {
    event.preventDefault();
    const wrong = !is_email(email);
    set_bad(wrong);
    if (wrong) return first_wrong(form.current);
    void send.run();
  };
  const error = bad ? text.sign_in.bad_email : field_error(text, send.problem, 'email');
  const { openIdConnect: provider = null, mail: by_mail = true } = settings.value?.data.signIn ?? {};
  return (
    <>
      <PageHead title={text.sign_in.title} />
      {ended && <p class="note warn" role="status"><Icon name="warning" />{text.sign_in.ended}</p>}
      <ProviderProblem code={problem} />
      {provider && <ProviderButton name={provider.name} wanted={wanted} />}
      {provider && by_mail && <p class="divider quiet small"><span>{text.sign_in.or}</span></p>}
      {!by_mail ? !provider && <p class="note warn">{text.sign_in.no_mail}</p> : (
        <form ref={form} noValidate onSubmit={submit}>
          <p class="quiet">{text.sign_in.intro}</p>
          <TextField label={text.common.email} type="email" name="email" autocomplete="email" autofocus maxLength={254} value={email} change={set_email} error={error} />
          <ProblemNote problem={send.problem} known_fields={['email']} />
          <Button type="submit" kind={provider ? 'plain' : 'primary'} busy={send.busy}>{text.sign_in.send}</Button>
        </form>
      )}
    </>
  );
};

const go_on = (session: session): string => (is_chosen(session) ? take_path() : '/console/organizations');

const LinkConfirmation = ({ token }: { token: string }) => {
  const text = use_text();
  const { route } = useLocation();
  const { begin } = use_session_context();
  const link = use_load(token, (signal) => body_of(api.POST('/sign-in-links/inspect', { body: { token }, signal })));
  const enter = use_action(async () => route(go_on(await begin(token)), true));
  const settings = use_load('settings', (signal) => body_of(api.GET('/settings', { signal })));
  const dead = link.problem?.status === 404 || link.problem?.status === 400 || enter.problem?.status === 404;
  if (dead) {
    if (settings.loading) return <Waiting />;
    const { mail = true, openIdConnect = null } = settings.value?.data.signIn ?? {};
    if (!mail && openIdConnect) return <AddressForm ended={false} problem="link_not_accepted" wanted={undefined} />;
    return (
      <>
        <PageHead title={text.sign_in.expired_title} />
        <p>{text.sign_in.expired}</p>
        <p><Button kind="primary" onClick={() => { location.hash = ''; }}>{text.sign_in.new_link}</Button></p>
      </>
    );
  }
  if (link.problem) return <ProblemNote problem={link.problem} title={text.problems.load_title} retry={link.reload} />;
  if (!link.value) return <Waiting />;
  return (
    <>
      <PageHead title={text.sign_in.link_title} />
      <p>{text.sign_in.link_intro}</p>
      <p class="address">{link.value.data.email}</p>
      <p class="quiet small">{text.sign_in.link_safety}</p>
      <ProblemNote problem={enter.problem} />
      <Button kind="primary" busy={enter.busy} onClick={() => void enter.run()}>{text.sign_in.link_button}</Button>
    </>
  );
};

export const SignInPage = () => {
  const token = use_token();
  const { query, route } = useLocation();
  const { state } = use_session_context();
  const wanted = query['return'];
  useEffect(() => {
    if (wanted) remember_path(wanted);
  }, [wanted]);
  // Signed in already, here or meanwhile in the tab that the mail's link opened.
  const inside = token === null && state.kind === 'signed_in';
  useEffect(() => {
    if (inside) route(safe_path(wanted) ?? home, true);
  }, [inside]);
  if (inside || (token === null && state.kind === 'loading')) return <Waiting />;
  return <Plain>{token ? <LinkConfirmation key={token} token={token} /> : <AddressForm ended={'ended' in query} problem={query['problem']} wanted={wanted} />}</Plain>;
};
