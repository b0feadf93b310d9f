// A person who belongs to several organizations chooses the one to work in.
import { useLocation } from 'preact-iso';
import type { session } from '../api/client';
import { use_action } from '../api/load';
import { use_text } from '../i18n/language';
import { home, take_path } from '../session/return_path';
import { use_session_context } from '../session/session';
import { Badge, Button, Empty, PageHead, ProblemNote } from '../ui/basics';
import { Icon } from '../ui/icons';
import { Plain } from '../ui/layout';

export const OrganizationsPage = ({ session }: { session: session }) => {
  const text = use_text();
  const { route } = useLocation();
  const { choose_organization, sign_out } = use_session_context();
  const choose = use_action(async (id: string) => {
    const first = session.organization === null;
    await choose_organization(id);
    route(first ? take_path() : home);
  });
  const leave = use_action(() => sign_out());
  const none = session.organizations.length === 0;
  return (
    <Plain>
      <PageHead title={none ? text.organizations.none_title : text.organizations.title} />
      {none ? <Empty title={session.email}>{text.organizations.none}</Empty> : <p class="quiet">{text.organizations.intro}</p>}
      <ProblemNote problem={choose.problem ?? leave.problem} />
      <ul class="choices" aria-busy={choose.busy}>
        {session.organizations.map(({ id, name, role }) => (
          <li key={id}>
            <button type="button" onClick={() => void choose.run(id)}>
              <span class="mark" aria-hidden="true">{[...name][0]}</span>
              <span><strong>{name}</strong><span class="quiet">{text.roles[role]}</span></span>
              {session.organization?.id === id && <Badge tone="quiet">{text.organizations.current}</Badge>}
              <Icon name="right" />
            </button>
          </li>
        ))}
      </ul>
      <p class="card-foot"><span class="small quiet">{text.nav.signed_in_as(session.email)}</span>
        <Button kind="quiet" busy={leave.busy} onClick={() => void leave.run()}>{text.nav.sign_out}</Button></p>
    </Plain>
  );
};
