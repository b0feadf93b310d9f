// Requests for an interview whose address is nobody's on that stage. The address is a stranger's text: never a link.
import { api, body_of, type unmatched_request } from '../../api/client';
import { use_load } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { Empty, Loaded, Time } from '../../ui/basics';
import { Icon } from '../../ui/icons';

const Row = ({ request }: { request: unmatched_request }) => {
  const { interviews } = use_text();
  const format = use_format();
  return (
    <tr>
      <th scope="row"><bdi>{request.email}</bdi></th>
      <td data-label={interviews.stage}><bdi>{request.stageName}</bdi><span class="small quiet sub"><bdi>{request.jobTitle}</bdi></span></td>
      <td data-label={interviews.wanted_time}><Time at={request.slotStart} form="minute" />{request.timeZone && <span class="small quiet sub"><bdi>{request.timeZone}</bdi></span>}</td>
      <td data-label={interviews.known_as}>{request.candidate ? <><bdi>{request.candidate.name}</bdi><span class="small quiet sub">{interviews.not_on_stage}</span></> : <span class="quiet">{interviews.nobody}</span>}</td>
      <td data-label={interviews.requests} class="number">{format.number(request.requests)}</td>
      <td data-label={interviews.received}><Time at={request.lastReceivedAt} /></td>
    </tr>
  );
};

export const UnmatchedPage = () => {
  const text = use_text();
  const { interviews } = text;
  const format = use_format();
  const requests = use_load('unmatched', (signal) => body_of(api.GET('/interviews/unmatched', { signal })));
  return (
    <>
      <Loaded of={requests}>{({ data, truncated }) => (data.length === 0 ? <Empty title={interviews.no_unmatched_title}>{interviews.no_unmatched}</Empty> : (
        <>
          <p class="note"><Icon name="warning" />{interviews.unmatched_advice}</p>
          {truncated && <p class="note warn"><Icon name="warning" />{interviews.truncated}</p>}
          <table class="records">
            <caption class="unseen">{interviews.tabs.unmatched}</caption>
            <thead>
              <tr>
                <th scope="col">{text.common.email}</th><th scope="col">{interviews.stage}</th><th scope="col">{interviews.wanted_time}</th>
                <th scope="col">{interviews.known_as}</th><th scope="col" class="number">{interviews.requests}</th><th scope="col">{interviews.received}</th>
              </tr>
            </thead>
            <tbody>{data.map((request) => <Row key={request.id} request={request} />)}</tbody>
          </table>
        </>
      ))}</Loaded>
      <p class="small quiet">{text.common.times_in(format.zone)}</p>
    </>
  );
};
