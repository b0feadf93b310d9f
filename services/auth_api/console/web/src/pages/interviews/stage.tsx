// One stage: its slots by week, and what can be done with them.
import { useState } from 'preact/hooks';
import { api, body_of, csrf, type interview_slot, type interview_stage } from '../../api/client';
import { use_action, use_load } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { Button, Crumb, Done, Empty, LinkButton, Loaded, PageHead } from '../../ui/basics';
import { FormDialog } from '../../ui/forms';
import { Icon } from '../../ui/icons';
import { read_stage, StageDialog, StageNotFound, StageState } from './stage_parts';
import { interviewers_of, Week } from './week';

const CloseDialog = ({ slot, close, done }: { slot: interview_slot; close: () => void; done: () => void }) => {
  const { interviews } = use_text();
  const format = use_format();
  const end = use_action(async () => {
    await body_of(api.POST('/interviews/slots/{id}/close', { params: { path: { id: slot.id }, header: csrf() } }));
    done();
  });
  return (
    <FormDialog title={interviews.close_title} close={close} submit={interviews.close_slot} danger busy={end.busy} problem={end.problem} run={() => void end.run()}>
      <p class="facts-line"><strong>{format.day(slot.slotStart)}, {format.span(slot.slotStart, slot.slotEnd)}</strong><bdi>{slot.interviewer.name}</bdi></p>
      {!slot.interviewer.active && <p class="note warn"><Icon name="warning" />{interviews.interviewer_left}</p>}
      <p>{interviews.close_intro}</p>
      {slot.state === 'taken' && !slot.booked && <p class="note">{interviews.taken_elsewhere}</p>}
      {slot.booked && <p class="note warn"><Icon name="warning" />{interviews.close_booked}</p>}
    </FormDialog>
  );
};

type filter = { member: string; closed: boolean };
const Filters = ({ slots, filter, change }: { slots: interview_slot[]; filter: filter; change: (filter: filter) => void }) => {
  const { interviews, common } = use_text();
  return (
    <div class="filters" role="search">
      <label class="inline">{interviews.interviewer}
        <select value={filter.member} onChange={(event) => change({ ...filter, member: event.currentTarget.value })}>
          <option value="">{common.any}</option>
          {interviewers_of(slots).map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </select>
      </label>
      <label class="check"><input type="checkbox" checked={filter.closed} onChange={(event) => change({ ...filter, closed: event.currentTarget.checked })} />{interviews.show_closed}</label>
    </div>
  );
};

const Slots = ({ stage, changed }: { stage: interview_stage; changed: () => void }) => {
  const text = use_text();
  const { interviews } = text;
  const format = use_format();
  const [filter, set_filter] = useState<filter>({ member: '', closed: false });
  const [closing, set_closing] = useState<interview_slot | null>(null);
  const [said, say] = useState<string | null>(null);
  const query = { stageId: stage.id, ...(filter.closed && { includeClosed: true }) };
  const slots = use_load(JSON.stringify(query), (signal) => body_of(api.GET('/interviews/slots', { params: { query }, signal })));
  const closed = (slot: interview_slot) => {
    set_closing(null);
    say(interviews.closed_done(format.minute(slot.slotStart)));
    slots.reload();
    changed();
  };
  return (
    <>
      <Done>{said}</Done>
      <Loaded of={slots}>{({ data, truncated }) => {
        const found = data.filter(({ interviewer }) => !filter.member || interviewer.memberId === filter.member);
        return (
          <>
            <Filters slots={data} filter={filter} change={set_filter} />
            {truncated && <p class="note warn"><Icon name="warning" />{interviews.truncated}</p>}
            {found.length === 0 && <Empty title={interviews.no_slots_title} action={stage.mayChange && <LinkButton kind="primary" icon="plus" href={`/console/interviews/stages/${stage.id}/open`}>{interviews.open_slots}</LinkButton>}>{interviews.no_slots}</Empty>}
            {found.length > 0 && <Week key={filter.member} slots={found} choose={set_closing} />}
          </>
        );
      }}</Loaded>
      <p class="small quiet">{text.common.times_in(format.zone)}</p>
      {closing && <CloseDialog slot={closing} close={() => set_closing(null)} done={() => closed(closing)} />}
    </>
  );
};

const Stage = ({ stage, changed }: { stage: interview_stage; changed: () => void }) => {
  const { interviews } = use_text();
  const format = use_format();
  const [changing, set_changing] = useState(false);
  return (
    <>
      <PageHead title={stage.name} intro={stage.jobTitle}>
        {stage.mayChange && <Button onClick={() => set_changing(true)}>{interviews.settings}</Button>}
        {stage.mayChange && <LinkButton kind="primary" icon="plus" href={`/console/interviews/stages/${stage.id}/open`}>{interviews.open_slots}</LinkButton>}
      </PageHead>
      <p class="lead"><StageState stage={stage} />
        <span class="quiet">{[stage.interviewDurationMinutes !== null && interviews.minutes_each(stage.interviewDurationMinutes), interviews.free_count(stage.freeSlots), interviews.booked_count(stage.upcomingBookings)].filter(Boolean).join(' · ')}</span></p>
      {!stage.jobPublished && <p class="note warn"><Icon name="warning" />{interviews.not_published_hint}</p>}
      <Slots key={format.locale} stage={stage} changed={changed} />
      {changing && <StageDialog stage={stage} close={() => set_changing(false)} done={() => { set_changing(false); changed(); }} />}
    </>
  );
};

export const StagePage = ({ id }: { id: string }) => {
  const { interviews } = use_text();
  const stage = use_load(id, async (signal) => ({ found: await read_stage(id, signal) }));
  return (
    <>
      <Crumb href="/console/interviews">{interviews.title}</Crumb>
      <Loaded of={stage}>{({ found }) => (found ? <Stage stage={found} changed={stage.reload} /> : <StageNotFound />)}</Loaded>
    </>
  );
};
