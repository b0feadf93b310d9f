// How stages are read and shown, and a stage's settings.
import { useState } from 'preact/hooks';
import { api, body_of, csrf, type interview_stage } from '../../api/client';
import { use_action } from '../../api/load';
import { use_text } from '../../i18n/language';
import { Badge, NotFound } from '../../ui/basics';
import { field_error, FormDialog, TextField } from '../../ui/forms';
import { Icon } from '../../ui/icons';
import { is_length } from './pattern';

export type stages = { data: interview_stage[]; truncated: boolean };
export const read_stages = async (signal: AbortSignal): Promise<stages> => body_of(api.GET('/interviews/stages', { signal }));

/** undefined: there is none, its job is not open, or it is outside of the member's reach. */
export const read_stage = async (id: string, signal: AbortSignal): Promise<interview_stage | undefined> =>
  (await read_stages(signal)).data.find((stage) => stage.id === id);

/** What keeps candidates from booking it, quietly; a badge says that nothing does. */
export const StageState = ({ stage }: { stage: interview_stage }) => {
  const { interviews } = use_text();
  const why_not = !stage.bookable ? interviews.not_bookable : !stage.jobPublished ? interviews.not_published : stage.freeSlots === 0 ? interviews.no_free : null;
  if (why_not) return <span class="quiet">{why_not}</span>;
  return <Badge tone="good">{interviews.bookable}</Badge>;
};

export const StageDialog = ({ stage, close, done }: { stage: interview_stage; close: () => void; done: () => void }) => {
  const text = use_text();
  const { interviews } = text;
  const [bookable, set_bookable] = useState(stage.bookable);
  const [minutes, set_minutes] = useState(String(stage.interviewDurationMinutes ?? ''));
  const [tried, set_tried] = useState(false);
  const length = Number(minutes);
  const given = minutes.trim() !== '';
  const right = given ? is_length(length) : !bookable;
  const save = use_action(async () => {
    // Only what was changed here: a colleague may have changed the rest meanwhile.
    const body = { ...(bookable !== stage.bookable && { bookable }), ...(given && length !== stage.interviewDurationMinutes && { interviewDurationMinutes: length }) };
    if (Object.keys(body).length > 0) await body_of(api.PATCH('/interviews/stages/{id}', { params: { path: { id: stage.id }, header: csrf() }, body }));
    done();
  });
  const run = () => {
    set_tried(true);
    if (right) void save.run();
  };
  const error = tried && !right ? interviews.bad_minutes : field_error(text, save.problem, 'interviewDurationMinutes');
  return (
    <FormDialog title={interviews.stage_settings(stage.name, stage.jobTitle)} close={close} submit={interviews.save} busy={save.busy} problem={save.problem} known_fields={['interviewDurationMinutes']} run={run}>
      <label class="check wrapping"><input type="checkbox" name="bookable" checked={bookable} onChange={(event) => set_bookable(event.currentTarget.checked)} />{interviews.bookable_label}</label>
      {stage.bookable && !bookable && <p class="note warn"><Icon name="warning" />{interviews.unbookable_warning}</p>}
      <TextField label={interviews.minutes} hint={interviews.minutes_hint} name="minutes" inputMode="numeric" autocomplete="off" maxLength={3} value={minutes} change={set_minutes} error={error} />
    </FormDialog>
  );
};

export const StageNotFound = () => {
  const { interviews } = use_text();
  return <NotFound title={interviews.not_found_title} href="/console/interviews" to={interviews.title}>{interviews.not_found}</NotFound>;
};
