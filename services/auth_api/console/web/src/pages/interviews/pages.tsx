// The pages of interviews, by the rest of their address, and the way between them.
import type { JSX } from 'preact';
import { use_text } from '../../i18n/language';
import { use_session } from '../../session/session';
import { PageHead } from '../../ui/basics';
import { BookingPage } from './booking';
import { BookingsPage } from './bookings';
import { OpenSlotsPage } from './open_slots';
import { SchedulePage } from './schedule';
import { StagePage } from './stage';
import { UnmatchedPage } from './unmatched';

type tab = 'schedule' | 'bookings' | 'unmatched';
const paths: Record<tab, string> = { schedule: '/console/interviews', bookings: '/console/interviews/bookings', unmatched: '/console/interviews/unmatched' };

const Tabs = ({ current }: { current: tab }) => {
  const { interviews } = use_text();
  const { member } = use_session();
  const tabs: tab[] = member.role === 'interviewer' ? ['schedule', 'bookings'] : ['schedule', 'bookings', 'unmatched'];
  return (
    <nav class="tabs" aria-label={interviews.title}>
      <ul>{tabs.map((tab) => <li key={tab}><a href={paths[tab]} aria-current={tab === current ? 'page' : undefined}>{interviews.tabs[tab]}</a></li>)}</ul>
    </nav>
  );
};

const Part = ({ tab }: { tab: tab }) => {
  const { interviews } = use_text();
  const Page = { schedule: SchedulePage, bookings: BookingsPage, unmatched: UnmatchedPage }[tab];
  return <><PageHead title={tab === 'schedule' ? interviews.title : interviews.tabs[tab]} intro={interviews.intros[tab]} /><Tabs current={tab} /><Page /></>;
};

/** null: there is no such page, or the member's role does not open it. */
export const interviews_page = (part: string | undefined, rest: string[]): JSX.Element | null => {
  const [id, what, ...more] = rest;
  if (!part) return <Part tab="schedule" />;
  if (part === 'stages' && id && more.length === 0) {
    if (what === undefined) return <StagePage id={id} />;
    return what === 'open' ? <OpenSlotsPage id={id} /> : null;
  }
  if (part === 'bookings' && id && what === undefined) return <BookingPage id={id} />;
  return (part === 'bookings' || part === 'unmatched') && !id ? <Part tab={part} /> : null;
};
