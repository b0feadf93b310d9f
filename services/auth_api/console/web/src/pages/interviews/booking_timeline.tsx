// What happened to an interview, the latest first.
import type { booking_event } from '../../api/client';
import { use_format, use_text } from '../../i18n/language';
import { Time } from '../../ui/basics';

const Entry = ({ entry: { at, event, by, from, to, interviewer } }: { entry: booking_event }) => {
  const { interviews } = use_text();
  const format = use_format();
  const handed_to = event === 'handed_over' ? interviewer : null;
  const to_time = to && (event === 'confirmed' || event === 'rescheduled') ? format.minute(to) : null;
  return (
    <li>
      <strong>{interviews.events[event]}</strong>
      {handed_to && <> <bdi>{handed_to}</bdi></>}
      {to_time && <> {from ? `${format.minute(from)} → ${to_time}` : to_time}</>}
      <span class="small quiet sub"><bdi>{by.name ?? interviews.event_by[by.kind]}</bdi> · <Time at={at} form="minute" /></span>
    </li>
  );
};

export const Timeline = ({ entries }: { entries: booking_event[] }) => {
  const { interviews } = use_text();
  return (
    <section class="panel">
      <h2>{interviews.timeline}</h2>
      <ul class="plain-list">{entries.toReversed().map((entry) => <Entry key={entry.at + entry.event} entry={entry} />)}</ul>
    </section>
  );
};
