// One interview with its candidate: where an interviewer's mail leads.
import { useState } from 'preact/hooks';
import { api, body_of, type booking_event, type candidate, type interview_booking } from '../../api/client';
import { use_load } from '../../api/load';
import { Problem } from '../../api/problem';
import { use_format, use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { Crumb, Done, Loaded, NotFound, PageHead, Time } from '../../ui/basics';
import { BookingActions } from './booking_actions';
import { Timeline } from './booking_timeline';
import { BookingState, Meeting, When } from './bookings';

/** undefined: there is none, or it is outside of the member's reach. */
const read_booking = async (id: string, signal: AbortSignal): Promise<interview_booking | undefined> => {
  try {
    return (await body_of(api.GET('/interviews/bookings/{id}', { params: { path: { id } }, signal }))).data;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
};

type read = { found: interview_booking; entries: booking_event[] } | { found: undefined };
const read_all = async (id: string, signal: AbortSignal): Promise<read> => {
  const found = await read_booking(id, signal);
  if (!found) return { found };
  return { found, entries: (await body_of(api.GET('/interviews/bookings/{id}/timeline', { params: { path: { id } }, signal }))).data };
};

const Links = ({ links }: { links: candidate['links'] }) => (
  <ul class="plain-list">
    {links.map(({ type, url }) => <li key={url}>{/^https?:\/\//i.test(url) ? <a href={url} target="_blank" rel="noopener noreferrer">{type}</a> : <span>{url}</span>}</li>)}
  </ul>
);

const Details = ({ of }: { of: candidate }) => {
  const { interviews, common } = use_text();
  const position = [of.currentTitle, of.currentCompany].filter(Boolean).join(', ');
  const applied = of.applications[0]?.appliedAt;
  return (
    <dl class="facts">
      {of.email && <><dt>{common.email}</dt><dd><a href={`mailto:${encodeURIComponent(of.email).replace('%40', '@')}`}><bdi>{of.email}</bdi></a></dd></>}
      {of.phone && <><dt>{interviews.phone}</dt><dd><bdi>{of.phone}</bdi></dd></>}
      {position && <><dt>{interviews.position}</dt><dd><bdi>{position}</bdi></dd></>}
      {of.location?.name && <><dt>{interviews.place}</dt><dd><bdi>{of.location.name}</bdi></dd></>}
      {of.links.length > 0 && <><dt>{interviews.links}</dt><dd><Links links={of.links} /></dd></>}
      {of.tags.length > 0 && <><dt>{interviews.tags}</dt><dd class="chips">{of.tags.map((tag) => <span key={tag} class="chip"><bdi>{tag}</bdi></span>)}</dd></>}
      {of.source && <><dt>{interviews.source}</dt><dd><bdi>{of.source}</bdi></dd></>}
      {applied && <><dt>{interviews.applied}</dt><dd><Time at={applied} form="date" /></dd></>}
    </dl>
  );
};

const Candidate = ({ id }: { id: string }) => {
  const details = use_load(id, async (signal) => (await body_of(api.GET('/candidates/{id}', { params: { path: { id } }, signal }))).data);
  return <Loaded of={details}>{(of) => <Details of={of} />}</Loaded>;
};

const Booking = ({ booking, entries, changed }: { booking: interview_booking; entries: booking_event[]; changed: () => void }) => {
  const { interviews } = use_text();
  const { scopes } = use_session();
  const [said, say] = useState<string | null>(null);
  const { candidate, interviewer, declinedBy } = booking;
  return (
    <>
      <PageHead title={candidate?.name ?? interviews.booking} intro={`${booking.stageName} · ${booking.jobTitle}`}>
        <BookingActions booking={booking} done={say} changed={changed} />
      </PageHead>
      <p class="lead"><BookingState booking={booking} />
        {booking.status === 'unplaced' && <span class="quiet"> {declinedBy ? interviews.declined_hint(declinedBy.name) : interviews.unplaced_hint}</span>}</p>
      <Done>{said}</Done>
      <div class="columns">
        <section class="panel">
          <h2>{interviews.booking}</h2>
          <dl class="facts">
            <dt>{interviews.when}</dt><dd><When booking={booking} /></dd>
            <dt>{interviews.interviewer}</dt><dd>{interviewer ? <bdi>{interviewer.name}</bdi> : '–'}</dd>
            {booking.status === 'confirmed' && <><dt>{interviews.meeting}</dt><dd><Meeting url={booking.joinUrl} whose={candidate?.name ?? booking.stageName} /></dd></>}
          </dl>
        </section>
        <section class="panel">
          <h2>{interviews.candidate}</h2>
          {candidate && scopes.includes('candidates:read') ? <Candidate id={candidate.id} /> : <p class="quiet">{interviews.hidden_hint}</p>}
        </section>
      </div>
      <Timeline entries={entries} />
    </>
  );
};

export const BookingPage = ({ id }: { id: string }) => {
  const text = use_text();
  const { interviews } = text;
  const format = use_format();
  const booking = use_load(id, (signal) => read_all(id, signal));
  return (
    <>
      <Crumb href="/console/interviews/bookings">{interviews.tabs.bookings}</Crumb>
      <Loaded of={booking}>{(read) => (read.found ? <Booking booking={read.found} entries={read.entries} changed={booking.reload} /> : <NotFound title={interviews.booking_not_found_title} href="/console/interviews/bookings" to={interviews.tabs.bookings}>{interviews.booking_not_found}</NotFound>)}</Loaded>
      <p class="small quiet">{text.common.times_in(format.zone)}</p>
    </>
  );
};
