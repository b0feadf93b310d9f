// What admins do with members. Each dialog ends with a sentence of what was done.
import { useState } from 'preact/hooks';
import { api, body_of, csrf, type member, type role } from '../../api/client';
import { use_action } from '../../api/load';
import { use_language, use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { field_error, FormDialog, is_email, SelectField, TextField } from '../../ui/forms';
import { Icon } from '../../ui/icons';
import { KeyEffects } from './effects';

export const roles: role[] = ['admin', 'recruiter', 'hiring_manager', 'interviewer', 'viewer'];
type options = { close: () => void; done: (said: string) => void };

const RoleField = ({ value, change, error }: { value: role; change: (role: role) => void; error?: string | undefined }) => {
  const text = use_text();
  return (
    <SelectField label={text.common.role} name="role" value={value} choices={roles.map((name) => ({ value: name, label: text.roles[name] }))}
      hint={text.role_hints[value]} error={error} change={(name) => change(name as role)} />
  );
};

const SelfWarning = ({ member }: { member: member }) => {
  const text = use_text();
  return use_session().member.id === member.id ? <p class="note warn"><Icon name="warning" />{text.members.self_warning}</p> : null;
};

export const InviteDialog = ({ close, done }: options) => {
  const { text, language } = use_language();
  const [draft, set_draft] = useState<{ email: string; name: string; role: role; title: string }>({ email: '', name: '', role: 'recruiter', title: '' });
  const [tried, set_tried] = useState(false);
  const change = (part: Partial<typeof draft>) => set_draft((now) => ({ ...now, ...part }));
  const email = draft.email.trim();
  const complete = is_email(email) && draft.name.trim() !== '';
  const invite = use_action(async () => {
    const body = { email, name: draft.name.trim(), role: draft.role, language, ...(draft.title.trim() && { title: draft.title.trim() }) };
    const { data } = await body_of(api.POST('/members', { params: { header: csrf() }, body }));
    done(text.members.invited(data.email));
  });
  const run = () => {
    set_tried(true);
    if (complete) void invite.run();
  };
  const missing = tried && !draft.name.trim() ? text.problems.reasons.missing : undefined;
  const bad_email = tried && !is_email(email) ? text.sign_in.bad_email : undefined;
  return (
    <FormDialog title={text.members.invite_title} close={close} submit={text.members.send} busy={invite.busy} problem={invite.problem} known_fields={['email', 'name', 'role', 'title']} run={run}>
      <p class="quiet">{text.members.invite_intro}</p>
      <TextField label={text.common.email} type="email" name="email" autocomplete="off" maxLength={254} value={draft.email} change={(value) => change({ email: value })} error={bad_email ?? field_error(text, invite.problem, 'email')} />
      <TextField label={text.members.person_name} name="name" autocomplete="off" maxLength={200} value={draft.name} change={(name) => change({ name })} error={missing ?? field_error(text, invite.problem, 'name')} />
      <TextField label={text.members.person_title} name="title" autocomplete="off" optional maxLength={200} value={draft.title} change={(title) => change({ title })} error={field_error(text, invite.problem, 'title')} />
      <RoleField value={draft.role} change={(role) => change({ role })} error={field_error(text, invite.problem, 'role')} />
    </FormDialog>
  );
};

export const RoleDialog = ({ member, close, done }: options & { member: member }) => {
  const text = use_text();
  const [role, set_role] = useState<role>(member.role);
  const save = use_action(async () => {
    await body_of(api.PATCH('/members/{id}', { params: { path: { id: member.id }, header: csrf() }, body: { role } }));
    done(text.members.role_changed(member.name, text.roles[role]));
  });
  return (
    <FormDialog title={text.members.role_title(member.name)} close={close} submit={text.members.save_role} busy={save.busy} problem={save.problem} known_fields={['role']} blocked={role === member.role} run={() => void save.run()}>
      <RoleField value={role} change={set_role} error={field_error(text, save.problem, 'role')} />
      <SelfWarning member={member} />
      {role !== member.role && <KeyEffects member_id={member.id} change={{ role }} />}
    </FormDialog>
  );
};

export const NameDialog = ({ member, close, done }: options & { member: member }) => {
  const text = use_text();
  const [name, set_name] = useState(member.name);
  const save = use_action(async () => {
    await body_of(api.PATCH('/members/{id}', { params: { path: { id: member.id }, header: csrf() }, body: { name: name.trim() } }));
    done(text.members.renamed(name.trim()));
  });
  const unchanged = name.trim() === '' || name.trim() === member.name;
  return (
    <FormDialog title={text.members.rename_title(member.name)} close={close} submit={text.members.rename} busy={save.busy} problem={save.problem} known_fields={['name']} blocked={unchanged} run={() => void save.run()}>
      <p class="quiet">{text.members.rename_intro}</p>
      <TextField label={text.members.person_name} name="name" autocomplete="off" maxLength={200} value={name} change={set_name} error={field_error(text, save.problem, 'name')} />
    </FormDialog>
  );
};

export const RemoveDialog = ({ member, close, done }: options & { member: member }) => {
  const text = use_text();
  const remove = use_action(async () => {
    await body_of(api.DELETE('/members/{id}', { params: { path: { id: member.id }, header: csrf() } }));
    done(text.members.removed(member.name));
  });
  return (
    <FormDialog title={text.members.remove_title(member.name)} close={close} submit={text.members.remove} danger busy={remove.busy} problem={remove.problem} run={() => void remove.run()}>
      <p>{text.members.remove_intro}</p>
      <SelfWarning member={member} />
      <KeyEffects member_id={member.id} change={{ removed: true }} />
    </FormDialog>
  );
};

export const RestoreDialog = ({ member, close, done }: options & { member: member }) => {
  const text = use_text();
  const restore = use_action(async () => {
    await body_of(api.POST('/members/{id}/restore', { params: { path: { id: member.id }, header: csrf() } }));
    done(text.members.restored(member.name));
  });
  return (
    <FormDialog title={text.members.restore_title(member.name)} close={close} submit={text.members.restore} busy={restore.busy} problem={restore.problem} run={() => void restore.run()}>
      <p>{text.members.restore_intro(text.roles[member.role])}</p>
      <KeyEffects member_id={member.id} change={{ role: member.role }} />
    </FormDialog>
  );
};
