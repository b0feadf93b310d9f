// What members do with one interview. Each dialog tells who learns of it; a change that came too late shows the page as it is now.
import { useState } from 'preact/hooks';
import { api, body_of, csrf, type interview_booking, type interview_slot, type member } from '../../api/client';
import { use_action, use_load } from '../../api/load';
import { Problem } from '../../api/problem';
import { use_format, use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Button, CopyField, Loaded, ProblemNote } from '../../ui/basics';
import { Dialog, field_error, FormDialog, SelectField } from '../../ui/forms';
import { read_members } from '../members/read_members';

type dialog_options = { booking: interview_booking; close: () => void; done: (said: string) => void; stale: () => void };

const call_of = (booking: interview_booking) => ({ path: { id: booking.id }, header: csrf() });

/** As use_action; what someone else changed meanwhile is read again. */
const use_change = (stale: () => void, work: () => Promise<void>) =>
  use_action(async () => {
    try {
      await work();
    } catch (error) {
      if (error instanceof Problem && (error.status === 404 || error.status === 409)) stale();
      throw error;
    }
  });

const CancelDialog = ({ booking, close, done, stale }: dialog_options) => {
  const { interviews } = use_text();
  const cancel = use_change(stale, async () => {
    await body_of(api.POST('/interviews/bookings/{id}/cancel', { params: call_of(booking) }));
    done(interviews.cancel_done);
  });
  return (
    <FormDialog title={interviews.cancel_title} close={close} submit={interviews.cancel_booking} danger busy={cancel.busy} problem={cancel.problem} run={() => void cancel.run()}>
      <p>{interviews.cancel_intro}</p>
    </FormDialog>
  );
};

const read_free_slots = async ({ stageId, slotId }: interview_booking, signal: AbortSignal): Promise<interview_slot[]> =>
  (await body_of(api.GET('/interviews/slots', { params: { query: { stageId } }, signal }))).data.filter(({ id, state }) => state === 'open' && id !== slotId);

const MoveForm = ({ booking, slots, close, done, stale }: dialog_options & { slots: interview_slot[] }) => {
  const text = use_text();
  const { interviews } = text;
  const format = use_format();
  const [slotId, set_slot] = useState('');
  const [tried, set_tried] = useState(false);
  const move = use_change(stale, async () => {
    await body_of(api.POST('/interviews/bookings/{id}/move', { params: call_of(booking), body: { slotId } }));
    done(interviews.move_done);
  });
  const run = () => {
    set_tried(true);
    if (slotId) void move.run();
  };
  const error = tried && !slotId ? interviews.bad_slot : field_error(text, move.problem, 'slotId');
  return (
    <FormDialog title={interviews.move_title} close={close} submit={interviews.move} busy={move.busy} problem={move.problem} known_fields={['slotId']} blocked={slots.length === 0} run={run}>
      <p>{slots.length > 0 ? interviews.move_intro : interviews.move_nowhere}</p>
      {slots.length > 0 && (
        <SelectField label={interviews.move_to} name="slotId" value={slotId} hint={text.common.times_in(format.zone)} error={error} change={set_slot}
          choices={[{ value: '', label: interviews.choose }, ...slots.map(({ id, slotStart, interviewer }) => ({ value: id, label: `${format.minute(slotStart)} · ${interviewer?.name ?? ''}` }))]} />
      )}
    </FormDialog>
  );
};

const MoveDialog = (options: dialog_options) => {
  const slots = use_load(options.booking.id, (signal) => read_free_slots(options.booking, signal));
  if (slots.value) return <MoveForm {...options} slots={slots.value} />;
  return <Waiting title={use_text().interviews.move_title} of={slots} close={options.close} />;
};

const HandOverForm = ({ booking, members, close, done, stale }: dialog_options & { members: member[] }) => {
  const text = use_text();
  const { interviews } = text;
  const [memberId, set_member] = useState('');
  const [tried, set_tried] = useState(false);
  const hand_over = use_change(stale, async () => {
    const { data } = await body_of(api.POST('/interviews/bookings/{id}/hand-over', { params: call_of(booking), body: { memberId } }));
    done(interviews.hand_over_done(data.interviewer?.name ?? ''));
  });
  const run = () => {
    set_tried(true);
    if (memberId) void hand_over.run();
  };
  const error = tried && !memberId ? interviews.bad_member : field_error(text, hand_over.problem, 'memberId');
  const problem = hand_over.problem;
  return (
    <FormDialog title={interviews.hand_over_title} close={close} submit={interviews.hand_over} busy={hand_over.busy} problem={problem?.code === 'slot_taken' ? undefined : problem} known_fields={['memberId']} run={run}>
      <p>{interviews.hand_over_intro}</p>
      <SelectField label={interviews.interviewer} name="memberId" value={memberId} change={set_member} error={problem?.code === 'slot_taken' ? interviews.taken_elsewhere : error}
        choices={[{ value: '', label: interviews.choose }, ...members.filter(({ id }) => id !== booking.interviewer?.memberId).map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))]} />
    </FormDialog>
  );
};

const HandOverDialog = (options: dialog_options) => {
  const members = use_load(options.booking.id, (signal) => read_members(signal, ['active']));
  if (members.value) return <HandOverForm {...options} members={members.value} />;
  return <Waiting title={use_text().interviews.hand_over_title} of={members} close={options.close} />;
};

/** The dialog until its choices are here. */
const Waiting = <T,>({ title, of, close }: { title: string; of: ReturnType<typeof use_load<T>>; close: () => void }) => (
  <Dialog title={title} close={close}><Loaded of={of}>{() => null}</Loaded></Dialog>
);

const ResendDialog = ({ booking, close, done, stale }: dialog_options) => {
  const { interviews } = use_text();
  const resend = use_change(stale, async () => {
    await body_of(api.POST('/interviews/bookings/{id}/resend', { params: call_of(booking) }));
    done(interviews.resend_done);
  });
  return (
    <FormDialog title={interviews.resend_title} close={close} submit={interviews.resend} busy={resend.busy} problem={resend.problem} run={() => void resend.run()}>
      <p>{interviews.resend_intro}</p>
    </FormDialog>
  );
};

const LinkDialog = ({ booking, close, stale }: dialog_options) => {
  const text = use_text();
  const { interviews } = text;
  const [url, set_url] = useState('');
  const create = use_change(stale, async () => {
    const { data } = await body_of(api.POST('/interviews/bookings/{id}/link', { params: call_of(booking) }));
    set_url(data.url);
    stale(); // the timeline tells of it
  });
  return (
    <Dialog title={interviews.link_title} close={close}>
      <p>{interviews.link_intro}</p>
      {url && <CopyField label={interviews.link_label} value={url} lines={2} />}
      <ProblemNote problem={create.problem} />
      <div class="dialog-foot">
        <Button onClick={close}>{url ? text.common.close : text.common.cancel}</Button>
        {!url && <Button kind="primary" busy={create.busy} onClick={() => void create.run()}>{interviews.link_create}</Button>}
      </div>
    </Dialog>
  );
};

const dialogs = { move: MoveDialog, hand_over: HandOverDialog, resend: ResendDialog, link: LinkDialog, cancel: CancelDialog };
type action = keyof typeof dialogs;

/** Which of them fit the booking as it is, for a member who reaches its candidate. */
const actions_for = ({ status, startsAt, candidate }: interview_booking): action[] => {
  if (!candidate || (status === 'confirmed' && startsAt && Date.parse(startsAt) <= Date.now())) return [];
  if (status === 'confirmed') return ['move', 'hand_over', 'resend', 'link', 'cancel'];
  return status === 'unplaced' ? ['move', 'link', 'cancel'] : ['move', 'link'];
};

export const BookingActions = ({ booking, done, changed }: { booking: interview_booking; done: (said: string) => void; changed: () => void }) => {
  const { interviews } = use_text();
  const { member } = use_session();
  const [open, set_open] = useState<action | null>(null);
  if (!['admin', 'recruiter', 'hiring_manager'].includes(member.role)) return null;
  const names = { move: interviews.move, hand_over: interviews.hand_over, resend: interviews.resend, link: interviews.link, cancel: interviews.cancel_booking };
  const OpenDialog = open && dialogs[open];
  const finish = (said: string) => {
    set_open(null);
    done(said);
    changed();
  };
  return (
    <>
      {actions_for(booking).map((one) => <Button key={one} {...(one === 'cancel' && { kind: 'danger' as const })} onClick={() => set_open(one)}>{names[one]}</Button>)}
      {OpenDialog && <OpenDialog booking={booking} close={() => set_open(null)} done={finish} stale={changed} />}
    </>
  );
};
