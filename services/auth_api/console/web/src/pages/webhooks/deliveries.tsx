// The last deliveries to a webhook, each of which can be sent again.
import { api, body_of, csrf, type webhook, type webhook_delivery } from '../../api/client';
import { use_action } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { Badge, Button, ProblemNote, Time } from '../../ui/basics';

const Result = ({ delivery: { statusCode, failure } }: { delivery: webhook_delivery }) => {
  const text = use_text();
  if (statusCode === null) return <Badge tone="bad">{failure && text.webhooks.failures[failure]}</Badge>;
  return <Badge tone={statusCode >= 200 && statusCode < 300 ? 'good' : 'bad'}>{statusCode}</Badge>;
};

type row_options = { webhook: webhook; delivery: webhook_delivery; sent: () => void };
const Row = ({ webhook, delivery, sent }: row_options) => {
  const text = use_text();
  const format = use_format();
  const { webhooks } = text;
  const send = use_action(async () => {
    const params = { path: { id: webhook.id }, header: csrf() };
    await body_of(api.POST('/webhooks/{id}/deliveries', { params, body: { deliveryId: delivery.id } }));
    sent();
  });
  return (
    <tr>
      <th scope="row"><Time at={delivery.attemptedAt} form="second" /></th>
      <td data-label={webhooks.column_message} class="message-cell"><span><code>{delivery.type}</code><code class="small quiet sub">{delivery.messageId}</code></span></td>
      <td data-label={text.audit.column_result}><Result delivery={delivery} /></td>
      <td data-label={text.audit.duration} class="number"><span>{format.number(delivery.durationMs)}&nbsp;ms</span></td>
      <td data-label={webhooks.column_answer}><bdi class="small">{delivery.excerpt || '–'}</bdi></td>
      <td class="row-actions">
        {webhook.status === 'active' && <Button kind="quiet" busy={send.busy} aria-label={`${webhooks.resend}: ${delivery.type}, ${format.second(delivery.attemptedAt)}`} onClick={() => void send.run()}>{webhooks.resend}</Button>}
        <ProblemNote problem={send.problem} />
      </td>
    </tr>
  );
};

type options = { webhook: webhook; deliveries: webhook_delivery[]; loading: boolean; reload: () => void; sent: () => void };
export const Deliveries = ({ webhook, deliveries, loading, reload, sent }: options) => {
  const text = use_text();
  const { webhooks } = text;
  return (
    <section class="stack" aria-labelledby="deliveries">
      <div class="bar"><h2 id="deliveries">{webhooks.deliveries}</h2><Button busy={loading} onClick={reload}>{webhooks.refresh}</Button></div>
      {deliveries.length === 0 ? <p class="quiet">{webhooks.no_deliveries}</p> : (
        <table class="records webhooks">
          <caption class="unseen">{webhooks.deliveries}</caption>
          <thead>
            <tr>
              <th scope="col">{text.audit.column_time}</th><th scope="col">{webhooks.column_message}</th><th scope="col">{text.audit.column_result}</th>
              <th scope="col" class="number">{text.audit.duration}</th><th scope="col">{webhooks.column_answer}</th><th scope="col"><span class="unseen">{text.common.actions}</span></th>
            </tr>
          </thead>
          <tbody>{deliveries.map((delivery) => <Row key={delivery.id} webhook={webhook} delivery={delivery} sent={sent} />)}</tbody>
        </table>
      )}
    </section>
  );
};
