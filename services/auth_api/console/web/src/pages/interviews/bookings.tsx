// Booked interviews: what is ahead, and what was.
import { api, body_of, type booking_status, type interview_booking } from '../../api/client';
import { use_load } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { Badge, Button, Empty, Loaded, Time } from '../../ui/basics';
import { use_filter } from '../../ui/filter';
import { SearchField, Segments } from '../../ui/forms';
import { Icon } from '../../ui/icons';

const tones: Record<booking_status, 'good' | 'warn' | 'quiet'> = { confirmed: 'good', unplaced: 'warn', canceled: 'quiet' };
type filter = { text: string; period: 'ahead' | 'past'; canceled: boolean };
const no_filter: filter = { text: '', period: 'ahead', canceled: false };
const month = 30 * 24 * 3600 * 1000;

const query_of = ({ period, canceled }: filter, now = Date.now()) => ({
  ...(period === 'past' && { from: new Date(now - month).toISOString(), to: new Date(now).toISOString() }),
  ...(!canceled && { status: ['confirmed', 'unplaced'] as booking_status[] }),
});

const matches = ({ candidate, jobTitle, stageName, interviewer }: interview_booking, text: string): boolean =>
  [candidate?.name, jobTitle, stageName, interviewer?.name].join('\n').toLowerCase().includes(text.trim().toLowerCase());

export const BookingState = ({ booking: { status, declinedBy } }: { booking: interview_booking }) => {
  const { interviews } = use_text();
  if (declinedBy) return <Badge tone="warn" title={interviews.declined_hint(declinedBy.name)}>{interviews.declined}</Badge>;
  return <Badge tone={tones[status]} {...(status === 'unplaced' && { title: interviews.unplaced_hint })}>{interviews.booking_statuses[status]}</Badge>;
};

/** A link only where it is what it must be: https. */
export const Meeting = ({ url, whose }: { url: string | null; whose: string }) => {
  const { interviews } = use_text();
  if (!url) return <span class="quiet">–</span>;
  if (!/^https:\/\//i.test(url)) return <code>{url}</code>;
  return <a href={url} target="_blank" rel="noopener noreferrer" title={url} aria-label={`${interviews.join}: ${whose}`}>{interviews.join}</a>;
};

export const When = ({ booking }: { booking: interview_booking }) => {
  const { interviews } = use_text();
  const format = use_format();
  const { startsAt, endsAt, wantedStartsAt } = booking;
  if (startsAt) return <><Time at={startsAt} form="date" /><span class="sub">{endsAt && format.span(startsAt, endsAt)}</span></>;
  return wantedStartsAt ? <span class="quiet">{interviews.wanted} <Time at={wantedStartsAt} form="minute" /></span> : <span class="quiet">–</span>;
};

const Row = ({ booking }: { booking: interview_booking }) => {
  const { interviews, common } = use_text();
  const { candidate, interviewer, status } = booking;
  return (
    <tr class={status === 'canceled' ? 'over' : ''}>
      <th scope="row"><a href={`/console/interviews/bookings/${booking.id}`}>{candidate ? <bdi>{candidate.name}</bdi> : interviews.booking}</a></th>
      <td data-label={interviews.when}><When booking={booking} /></td>
      <td data-label={interviews.stage}><bdi>{booking.stageName}</bdi><span class="small quiet sub"><bdi>{booking.jobTitle}</bdi></span></td>
      <td data-label={interviews.interviewer}>{interviewer ? <bdi>{interviewer.name}</bdi> : <span class="quiet">–</span>}</td>
      <td data-label={common.status}><BookingState booking={booking} /></td>
      <td data-label={interviews.meeting}>{status === 'confirmed' ? <Meeting url={booking.joinUrl} whose={candidate?.name ?? booking.stageName} /> : <span class="quiet">–</span>}</td>
    </tr>
  );
};

const Table = ({ rows }: { rows: interview_booking[] }) => {
  const { interviews, common } = use_text();
  return (
    <table class="records">
      <caption class="unseen">{interviews.tabs.bookings}</caption>
      <thead>
        <tr>
          <th scope="col">{interviews.candidate}</th><th scope="col">{interviews.when}</th><th scope="col">{interviews.stage}</th>
          <th scope="col">{interviews.interviewer}</th><th scope="col">{common.status}</th><th scope="col">{interviews.meeting}</th>
        </tr>
      </thead>
      <tbody>{rows.map((booking) => <Row key={booking.id} booking={booking} />)}</tbody>
    </table>
  );
};

export const BookingsPage = () => {
  const text = use_text();
  const { interviews } = text;
  const format = use_format();
  const [filter, set_filter] = use_filter(no_filter);
  const bookings = use_load(`${filter.period}${filter.canceled}`, (signal) => body_of(api.GET('/interviews/bookings', { params: { query: query_of(filter) }, signal })));
  const choices = [{ value: 'ahead', label: interviews.ahead }, { value: 'past', label: interviews.past }];
  return (
    <>
      <div class="filters" role="search">
        <SearchField label={interviews.filter_bookings} value={filter.text} change={(value) => set_filter({ ...filter, text: value })} />
        <Segments label={interviews.when} name="period" value={filter.period} choices={choices} change={(period) => set_filter({ ...filter, period: period as filter['period'] })} />
        <label class="check"><input type="checkbox" checked={filter.canceled} onChange={(event) => set_filter({ ...filter, canceled: event.currentTarget.checked })} />{interviews.show_canceled}</label>
      </div>
      <Loaded of={bookings}>{({ data, truncated }) => {
        const rows = data.filter((one) => matches(one, filter.text));
        return (
          <>
            {truncated && <p class="note warn"><Icon name="warning" />{interviews.truncated}</p>}
            {rows.length > 0 ? <Table rows={rows} /> : data.length > 0
              ? <Empty title={interviews.no_match_title} action={<Button onClick={() => set_filter({ ...filter, text: '' })}>{text.common.clear}</Button>}>{interviews.no_match}</Empty>
              : <Empty title={interviews.no_bookings_title}>{interviews.no_bookings}</Empty>}
          </>
        );
      }}</Loaded>
      <p class="small quiet">{text.common.times_in(format.zone)}</p>
    </>
  );
};
