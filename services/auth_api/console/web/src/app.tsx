// Which page an address and a session show.
import { useLocation } from 'preact-iso';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { use_text } from './i18n/language';
import { AgentPage } from './pages/agent/page';
import { AgentSessionPage } from './pages/agent/session';
import { AuditPage } from './pages/audit/page';
import { BillingPage } from './pages/billing';
import { LimitsPage } from './pages/limits';
import { interviews_page } from './pages/interviews/pages';
import { CreateKeyPage } from './pages/keys/create';
import { KeyPage } from './pages/keys/details';
import { KeysPage } from './pages/keys/list';
import { ReplacePage } from './pages/keys/replace';
import { MembersPage } from './pages/members/page';
import { MissingPage } from './pages/missing';
import { OrganizationsPage } from './pages/organizations';
import { SessionsPage } from './pages/sessions';
import { SignInPage } from './pages/sign_in';
import { WebhookPage } from './pages/webhooks/details';
import { WebhooksPage } from './pages/webhooks/page';
import { home, remember_path } from './session/return_path';
import { type chosen_session, is_chosen, use_session_context } from './session/session';
import { Button, ProblemNote, Waiting } from './ui/basics';
import { Icon } from './ui/icons';
import { Layout, Plain, Shell } from './ui/layout';
import { sections } from './ui/sections';

const Redirect = ({ to }: { to: string }) => {
  const { route } = useLocation();
  useLayoutEffect(() => route(to, true), [to]);
  return null;
};

const page_of = (path: string, session: chosen_session) => {
  const [, , section = '', part, ...rest] = path.split('/');
  const allowed = sections(session).some(({ href }) => href === `/console/${section}`);
  if (!allowed) return <MissingPage />;
  if (section === 'interviews') return interviews_page(part, rest) ?? <MissingPage />;
  if (rest.length > 0) return <MissingPage />;
  if (section === 'agent') return part ? <AgentSessionPage id={part} /> : <AgentPage />;
  if (section === 'api-access') {
    if (part === 'new') return <CreateKeyPage />;
    if (part === 'replace') return <ReplacePage />;
    return part ? <KeyPage id={part} /> : <KeysPage />;
  }
  if (section === 'webhooks') return part ? <WebhookPage id={part} /> : <WebhooksPage />;
  if (part) return <MissingPage />;
  switch (section) {
    case 'members': return <MembersPage />;
    case 'audit': return <AuditPage />;
    case 'billing': return <BillingPage />;
    case 'limits': return <LimitsPage />;
    default: return <SessionsPage />;
  }
};

/** The session has ended in another tab: what is half-written here can be sent after signing in there again. */
const Paused = () => {
  const { problems, sign_in } = use_text();
  const { drop } = use_session_context();
  return (
    <div class="note warn" role="alert"><Icon name="warning" />
      <div><p>{problems.paused}</p><p class="card-foot"><a class="button" href="/console/sign-in" target="_blank" rel="noopener">{sign_in.title}</a><Button kind="quiet" onClick={drop}>{problems.drop}</Button></p></div>
    </div>
  );
};

const SignedIn = ({ session, paused, path }: { session: chosen_session; paused: boolean; path: string }) => {
  const text = use_text();
  const { organization_changed, forget_change } = use_session_context();
  useEffect(() => forget_change, [path]);
  return (
    <Layout session={session} path={path}>
      {/* Another organization or person is another page: nothing of the one before may stay on the screen. */}
      <main id="main" tabIndex={-1} key={`${session.organization.id}${session.member.id}${path}`}>
        {paused && <Paused />}
        {organization_changed && <div class="note warn" role="alert"><Icon name="warning" /><p>{text.problems.organization_mismatch}</p></div>}
        {page_of(path, session)}
      </main>
    </Layout>
  );
};

const ToSignIn = ({ ended, url }: { ended: boolean; url: string }) => {
  useEffect(() => {
    if (ended) remember_path(url);
  }, []);
  return <Redirect to={`/console/sign-in?return=${encodeURIComponent(url)}${ended ? '&ended' : ''}`} />;
};

export const App = () => {
  const text = use_text();
  const { path, url } = useLocation();
  const { state, refresh } = use_session_context();
  if (path === '/console/sign-in') return <SignInPage />;
  switch (state.kind) {
    case 'loading': return <Shell><Waiting /></Shell>;
    case 'failed': return <Plain><ProblemNote problem={state.problem} title={text.problems.load_title} retry={() => void refresh()} /></Plain>;
    case 'signed_out': return <ToSignIn ended={state.ended} url={url} />;
    case 'signed_in':
      if (path === '/console/organizations' || !is_chosen(state.session)) return <OrganizationsPage session={state.session} />;
      if (path === '/console') return <Redirect to={home} />;
      return <SignedIn session={state.session} paused={state.paused ?? false} path={path} />;
  }
};
