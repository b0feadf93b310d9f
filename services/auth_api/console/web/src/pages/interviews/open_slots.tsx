// Opening slots: on which days, from when to when, with whom; then the exact times and what stands in their way; then what
// was opened and what was not.
import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, body_of, csrf, type interview_stage, type member, type opened_slots, type previewed_slots } from '../../api/client';
import { use_action, use_load } from '../../api/load';
import type { Problem } from '../../api/problem';
import { use_format, use_text } from '../../i18n/language';
import type { texts } from '../../i18n/texts';
import { use_session } from '../../session/session';
import { Button, Crumb, Empty, LinkButton, Loaded, PageHead, ProblemNote } from '../../ui/basics';
import { Field, field_error, first_wrong, SelectField, TextField } from '../../ui/forms';
import { grouped } from '../../ui/group';
import { Icon } from '../../ui/icons';
import { read_members } from '../members/read_members';
import { count_slots, day_after, type draft, most_slots, time_zones, type weekday, weekdays, wrong_parts } from './pattern';
import { read_stage, StageNotFound } from './stage_parts';

const monday = Date.UTC(2026, 0, 5);
const sent_fields = ['memberId', 'firstDay', 'lastDay', 'from', 'to', 'weekdays', 'interviewDurationMinutes', 'timeZone', 'joinUrl'];

const body_of_draft = (stage: interview_stage, draft: draft) => ({
    jobId: stage.jobId, stageId: stage.id, memberId: draft.member, firstDay: draft.first_day, lastDay: draft.last_day, from: draft.from, to: draft.to,
    weekdays: draft.weekdays, timeZone: draft.zone,
    ...(stage.interviewDurationMinutes === null && { interviewDurationMinutes: Number(draft.minutes) }),
    ...(draft.join_url.trim() && { joinUrl: draft.join_url.trim() }),
});

const send = async (stage: interview_stage, draft: draft, preview: boolean): Promise<opened_slots | previewed_slots> =>
  (await body_of(api.POST('/interviews/slots', { params: { header: csrf() }, body: { ...body_of_draft(stage, draft), preview } }))).data;
const preview_slots = (stage: interview_stage, draft: draft): Promise<previewed_slots> => send(stage, draft, true);
const open_slots = async (stage: interview_stage, draft: draft): Promise<opened_slots> => (await send(stage, draft, false)) as opened_slots;

const error_of = (text: texts, problem: Problem | undefined, field: string): string | undefined =>
  problem?.detail_of(field)?.reason === 'unknown' ? text.interviews.unknown_member : field_error(text, problem, field);

const Weekdays = ({ value, change, error }: { value: weekday[]; change: (value: weekday[]) => void; error: string | undefined }) => {
  const { interviews } = use_text();
  const format = use_format();
  const name = new Intl.DateTimeFormat(format.locale, { weekday: 'short', timeZone: 'UTC' });
  const full = new Intl.DateTimeFormat(format.locale, { weekday: 'long', timeZone: 'UTC' });
  const toggle = (day: weekday, on: boolean) => change(weekdays.filter((one) => (one === day ? on : value.includes(one))));
  return (
    <fieldset class={`weekdays ${error ? 'wrong' : ''}`}>
      <legend class="label">{interviews.weekdays}</legend>
      <div class="segments">
        {weekdays.map((day, i) => {
          const at = new Date(monday + i * 24 * 3600_000);
          return <label key={day} class={value.includes(day) ? 'on' : ''}><input type="checkbox" class="unseen" name="weekdays" value={day} checked={value.includes(day)} aria-label={full.format(at)} {...(error && { 'aria-invalid': true as const })} onChange={(event) => toggle(day, event.currentTarget.checked)} /><span aria-hidden="true">{name.format(at)}</span></label>;
        })}
      </div>
      {error && <p class="error"><Icon name="warning" />{error}</p>}
    </fieldset>
  );
};

const When = ({ label, type, name, value, change, error, min }: { label: string; type: 'date' | 'time'; name: string; value: string; change: (value: string) => void; error?: string | undefined; min?: string }) => (
  <Field label={label} error={error}>{(ids) => <input {...ids} type={type as 'text'} name={name} value={value} {...(min && { min })} onInput={(event) => change(event.currentTarget.value)} />}</Field>
);

type part = { draft: draft; change: (part: Partial<draft>) => void; wrong: Set<string>; problem: Problem | undefined };

const Days = ({ draft, change, wrong, problem }: part) => {
  const text = use_text();
  const { interviews } = text;
  return (
    <>
      <div class="field-row">
        <When label={interviews.first_day} type="date" name="firstDay" min={day_after(0)} value={draft.first_day} change={(first_day) => change({ first_day, ...(draft.last_day < first_day && { last_day: first_day }) })} error={wrong.has('day') ? interviews.bad_day : error_of(text, problem, 'firstDay')} />
        <When label={interviews.last_day} type="date" name="lastDay" min={draft.first_day} value={draft.last_day} change={(last_day) => change({ last_day })} error={wrong.has('last_day') ? interviews.bad_last_day : error_of(text, problem, 'lastDay')} />
      </div>
      <Weekdays value={draft.weekdays} change={(chosen) => change({ weekdays: chosen })} error={wrong.has('weekdays') ? interviews.bad_weekdays : error_of(text, problem, 'weekdays')} />
      <div class="field-row">
        <When label={interviews.from} type="time" name="from" value={draft.from} change={(from) => change({ from })} error={wrong.has('clock') ? interviews.bad_clock : error_of(text, problem, 'from')} />
        <When label={interviews.to} type="time" name="to" value={draft.to} change={(to) => change({ to })} error={error_of(text, problem, 'to')} />
      </div>
    </>
  );
};

/** As many as the form can count by itself. */
const Count = ({ draft, minutes }: { draft: draft; minutes: number }) => {
  const { interviews } = use_text();
  const format = use_format();
  const { days, each } = count_slots(draft, minutes);
  const all = days * each;
  return (
    <p class={`note ${all === 0 || all > most_slots ? 'warn' : ''}`} role="status"><Icon name="calendar" />
      {all === 0 ? interviews.preview_none : all > most_slots ? interviews.preview_many(format.number(most_slots)) : interviews.preview(all, format.number(each), format.number(days))}</p>
  );
};

/** Where they meet: in which zone the times are, and behind which link. */
const Where = ({ draft, change, wrong, problem }: part) => {
  const text = use_text();
  const { interviews } = text;
  const { organization } = use_session();
  const format = use_format();
  const zones = time_zones([organization.timeZone, format.zone]).map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
  return (
    <>
      <SelectField label={interviews.zone} name="timeZone" value={draft.zone} choices={zones} change={(zone) => change({ zone })} error={error_of(text, problem, 'timeZone')} />
      <TextField label={interviews.join_url} hint={interviews.join_url_hint} optional name="joinUrl" autocomplete="off" spellcheck={false} maxLength={2000} value={draft.join_url} change={(join_url) => change({ join_url })} error={wrong.has('join_url') ? interviews.bad_join_url : error_of(text, problem, 'joinUrl')} />
    </>
  );
};

type time = { slotStart: string; slotEnd: string };
const Times = ({ title, times, open = false }: { title: string; times: time[]; open?: boolean }) => {
  const format = use_format();
  if (times.length === 0) return null;
  return (
    <details class="seal" open={open}><summary>{title}</summary>
      <dl class="facts">{grouped(times, ({ slotStart }) => format.day(slotStart)).map(([day, of_day]) => <Fragment key={day}><dt>{day}</dt><dd class="chips">{of_day.map(({ slotStart, slotEnd }) => <span key={slotStart} class="chip tabular">{format.span(slotStart, slotEnd)}</span>)}</dd></Fragment>)}</dl>
    </details>
  );
};

/** Times that are no slot of the request's, by the reason. */
const Conflicts = ({ of: { existing, skipped, past } }: { of: previewed_slots }) => {
  const { interviews } = use_text();
  return (
    <>
      <Times title={interviews.skipped(skipped.length)} times={skipped} open />
      <Times title={interviews.existing(existing.length)} times={existing} />
      <Times title={interviews.begun(past.length)} times={past} />
    </>
  );
};

const Previewed = ({ of }: { of: previewed_slots }) => {
  const text = use_text();
  const { interviews } = text;
  const format = use_format();
  return (
    <section class="stack previewed" role="status">
      {of.opened.length === 0 && <p class="note warn"><Icon name="warning" />{interviews.preview_none}</p>}
      <Times title={interviews.will_open(of.opened.length)} times={of.opened} open />
      <Conflicts of={of} />
      {!of.jobPublished && <p class="note warn"><Icon name="warning" />{interviews.not_published_hint}</p>}
      <p class="small quiet">{text.common.times_in(format.zone)}</p>
    </section>
  );
};

type form_options = { stage: interview_stage; members: member[]; done: (opened: opened_slots) => void };
const OpenForm = ({ stage, members, done }: form_options) => {
  const text = use_text();
  const { interviews } = text;
  const { member, organization } = use_session();
  const form = useRef<HTMLFormElement>(null);
  const [tried, set_tried] = useState(false);
  const [draft, set_draft] = useState<draft>(() => ({
    member: members.some(({ id }) => id === member.id) ? member.id : '', first_day: day_after(1), last_day: day_after(7), from: '09:00', to: '12:00', weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'],
    minutes: String(stage.interviewDurationMinutes ?? 45), zone: organization.timeZone, join_url: '',
  }));
  const [previewed, set_previewed] = useState<previewed_slots | null>(null);
  const change = (part: Partial<draft>) => {
    set_previewed(null);
    set_draft((now) => ({ ...now, ...part }));
  };
  const minutes = stage.interviewDurationMinutes ?? Number(draft.minutes);
  const wrong = new Set<string>(tried ? wrong_parts(draft, minutes) : []);
  const preview = use_action(async () => set_previewed(await preview_slots(stage, draft)));
  const open = use_action(async () => done(await open_slots(stage, draft)));
  const problem = open.problem ?? preview.problem;
  useEffect(() => {
    if (problem) first_wrong(form.current);
  }, [problem]);
  const submit = (event: Event) => {
    event.preventDefault();
    set_tried(true);
    if (wrong_parts(draft, minutes).length > 0) first_wrong(form.current);
    else if (previewed) void open.run();
    else void preview.run();
  };
  return (
    <form ref={form} class="wide-form open-slots" noValidate onSubmit={submit}>
      <SelectField label={interviews.interviewer} name="memberId" value={draft.member} choices={[{ value: '', label: interviews.choose }, ...members.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))]} change={(id) => change({ member: id })} error={wrong.has('member') ? interviews.bad_member : error_of(text, problem, 'memberId')} />
      <Days draft={draft} change={change} wrong={wrong} problem={problem} />
      {stage.interviewDurationMinutes === null
        ? <TextField label={interviews.minutes} hint={interviews.first_minutes_hint} name="interviewDurationMinutes" inputMode="numeric" maxLength={3} autocomplete="off" value={draft.minutes} change={(value) => change({ minutes: value })} error={wrong.has('minutes') ? interviews.bad_minutes : error_of(text, problem, 'interviewDurationMinutes')} />
        : <p class="hint">{interviews.length_of_stage(stage.interviewDurationMinutes)}</p>}
      <Where draft={draft} change={change} wrong={wrong} problem={problem} />
      {previewed ? <Previewed of={previewed} /> : <Count draft={draft} minutes={minutes} />}
      <ProblemNote problem={problem} known_fields={sent_fields} />
      <div class="form-foot"><Button type="submit" kind="primary" busy={open.busy || preview.busy} disabled={previewed?.opened.length === 0}>{previewed ? interviews.open_so_many(previewed.opened.length) : interviews.preview_times}</Button><LinkButton href={`/console/interviews/stages/${stage.id}`}>{text.common.cancel}</LinkButton></div>
    </form>
  );
};

const Opened = ({ stage, opened, again }: { stage: interview_stage; opened: opened_slots; again: () => void }) => {
  const text = use_text();
  const { interviews } = text;
  const format = use_format();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const some = opened.opened.length > 0;
  return (
    <section class="stack" role="status">
      <h2 ref={heading} tabIndex={-1}>{interviews.opened(opened.opened.length)}</h2>
      {some && <p class="note good"><Icon name="check" />{format.day(opened.opened[0]!.slotStart)} – {format.day(opened.opened.at(-1)!.slotStart)}</p>}
      {opened.stageMadeBookable && <p class="note good"><Icon name="check" />{interviews.made_bookable}</p>}
      {!opened.jobPublished && <p class="note warn"><Icon name="warning" />{interviews.not_published_hint}</p>}
      <Conflicts of={opened} />
      <p class="small quiet">{text.common.times_in(format.zone)}</p>
      <div class="form-foot"><LinkButton kind="primary" href={`/console/interviews/stages/${stage.id}`}>{interviews.see_slots}</LinkButton><Button onClick={again}>{interviews.open_more}</Button></div>
    </section>
  );
};

export const OpenSlotsPage = ({ id }: { id: string }) => {
  const { interviews } = use_text();
  const [opened, set_opened] = useState<opened_slots | null>(null);
  const read = use_load(id, async (signal) => {
    const [stage, members] = await Promise.all([read_stage(id, signal), read_members(signal, ['active'])]);
    return { stage, members };
  });
  return (
    <>
      <Crumb href={`/console/interviews/stages/${id}`}>{read.value?.stage?.name ?? interviews.title}</Crumb>
      <Loaded of={read}>{({ stage, members }) => {
        if (!stage) return <StageNotFound />;
        if (!stage.mayChange) return <><PageHead title={interviews.open_slots} /><Empty title={interviews.not_yours_title} action={<LinkButton href="/console/interviews">{interviews.title}</LinkButton>}>{interviews.not_yours}</Empty></>;
        return (
          <>
            <PageHead title={interviews.open_slots} intro={`${stage.name} · ${stage.jobTitle}`} />
            {opened ? <Opened stage={stage} opened={opened} again={() => set_opened(null)} /> : <OpenForm stage={stage} members={members} done={set_opened} />}
          </>
        );
      }}</Loaded>
    </>
  );
};
