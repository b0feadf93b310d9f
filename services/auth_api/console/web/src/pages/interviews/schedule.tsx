// The stages of open jobs, under their job: which ones candidates can book, how much time is free, what is booked.
import { useState } from 'preact/hooks';
import type { interview_stage } from '../../api/client';
import { use_load } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { Badge, Button, Done, Empty, Loaded, Time } from '../../ui/basics';
import { use_filter } from '../../ui/filter';
import { SearchField, Segments } from '../../ui/forms';
import { grouped } from '../../ui/group';
import { Icon } from '../../ui/icons';
import { read_stages, StageDialog, type stages, StageState } from './stage_parts';

type filter = { text: string; shown: 'bookable' | 'all' };

const matches = ({ jobTitle, name, bookable }: interview_stage, { text, shown }: filter): boolean =>
  (shown === 'all' || bookable) && `${jobTitle}\n${name}`.toLowerCase().includes(text.trim().toLowerCase());

const Row = ({ stage, change }: { stage: interview_stage; change: () => void }) => {
  const { interviews, common } = use_text();
  const format = use_format();
  return (
    <tr>
      <th scope="row"><a href={`/console/interviews/stages/${stage.id}`}><bdi>{stage.name}</bdi></a></th>
      <td data-label={common.status}><StageState stage={stage} /></td>
      <td data-label={interviews.length} class="short">{stage.interviewDurationMinutes === null ? <span class="quiet">–</span> : interviews.minutes_each(stage.interviewDurationMinutes)}</td>
      <td data-label={interviews.free} class="number">{interviews.free_of(format.number(stage.freeSlots), format.number(stage.openSlots))}</td>
      <td data-label={interviews.next_free}>{stage.nextFreeAt ? <Time at={stage.nextFreeAt} form="minute" /> : <span class="quiet">–</span>}</td>
      <td data-label={interviews.upcoming} class="number">{format.number(stage.upcomingBookings)}</td>
      <td class="row-actions">{stage.mayChange && (
        <><Button kind="quiet" aria-label={`${interviews.settings}: ${stage.name}, ${stage.jobTitle}`} onClick={change}>{interviews.settings}</Button>
          <a class="button quiet" href={`/console/interviews/stages/${stage.id}/open`} aria-label={`${interviews.open_slots}: ${stage.name}, ${stage.jobTitle}`}>{interviews.open_slots}</a></>
      )}</td>
    </tr>
  );
};

const Job = ({ stages, change }: { stages: interview_stage[]; change: (stage: interview_stage) => void }) => {
  const { interviews } = use_text();
  const [{ jobTitle, jobPublished }] = stages as [interview_stage];
  const hidden = !jobPublished && stages.some(({ bookable }) => bookable);
  return (
    <tbody>
      <tr class="group"><th scope="rowgroup" colSpan={7}><bdi>{jobTitle}</bdi>{hidden && <> <Badge tone="warn" title={interviews.not_published_hint}>{interviews.not_published}</Badge></>}</th></tr>
      {stages.map((stage) => <Row key={stage.id} stage={stage} change={() => change(stage)} />)}
    </tbody>
  );
};

const Table = ({ rows, change }: { rows: interview_stage[]; change: (stage: interview_stage) => void }) => {
  const { interviews, common } = use_text();
  return (
    <table class="records">
      <caption class="unseen">{interviews.title}</caption>
      <thead>
        <tr>
          <th scope="col">{interviews.stage}</th><th scope="col">{common.status}</th><th scope="col">{interviews.length}</th><th scope="col" class="number">{interviews.free}</th>
          <th scope="col">{interviews.next_free}</th><th scope="col" class="number">{interviews.upcoming}</th><th scope="col"><span class="unseen">{common.actions}</span></th>
        </tr>
      </thead>
      {grouped(rows, ({ jobId }) => jobId).map(([job, stages]) => <Job key={job} stages={stages} change={change} />)}
    </table>
  );
};

const Stages = ({ found: { data, truncated }, changed }: { found: stages; changed: () => void }) => {
  const text = use_text();
  const { interviews } = text;
  const some = data.some(({ bookable }) => bookable);
  const [filter, set_filter] = use_filter<filter>({ text: '', shown: some ? 'bookable' : 'all' });
  const [changing, set_changing] = useState<interview_stage | null>(null);
  const [said, say] = useState<string | null>(null);
  if (data.length === 0) return <Empty title={interviews.no_stages_title}>{interviews.no_stages}</Empty>;
  const rows = data.filter((stage) => matches(stage, filter));
  const choices = [{ value: 'bookable', label: `${interviews.bookable} ${data.filter(({ bookable }) => bookable).length}` }, { value: 'all', label: `${text.common.all} ${data.length}` }];
  return (
    <>
      <Done>{said}</Done>
      <div class="filters" role="search">
        <SearchField label={interviews.filter} value={filter.text} change={(value) => set_filter({ ...filter, text: value })} />
        <Segments label={text.common.status} name="shown" value={filter.shown} choices={choices} change={(shown) => set_filter({ ...filter, shown: shown as filter['shown'] })} />
      </div>
      {truncated && <p class="note warn"><Icon name="warning" />{interviews.truncated}</p>}
      {rows.length > 0 ? <Table rows={rows} change={set_changing} /> : (
        <Empty title={interviews.no_match_title} action={<Button onClick={() => set_filter({ text: '', shown: 'all' })}>{text.common.clear}</Button>}>{interviews.no_match}</Empty>
      )}
      {changing && <StageDialog stage={changing} close={() => set_changing(null)} done={() => { say(interviews.saved(changing.name)); set_changing(null); changed(); }} />}
    </>
  );
};

export const SchedulePage = () => {
  const text = use_text();
  const format = use_format();
  const stages = use_load('stages', read_stages);
  return <><Loaded of={stages}>{(found) => <Stages found={found} changed={stages.reload} />}</Loaded><p class="small quiet">{text.common.times_in(format.zone)}</p></>;
};

