// Webhooks: the programs that are told of changes.
import { useState } from 'preact/hooks';
import type { webhook } from '../../api/client';
import { use_load } from '../../api/load';
import { use_text } from '../../i18n/language';
import { Button, Empty, Loaded, PageHead } from '../../ui/basics';
import { CreateDialog } from './dialogs';
import { SecretPage, type with_secret } from './secret';
import { FailingSince, read_webhooks, Resources, StateBadge } from './webhook_parts';

const Row = ({ webhook }: { webhook: webhook }) => {
  const { webhooks, common } = use_text();
  return (
    <tr class={webhook.status === 'gone' ? 'over' : ''}>
      <th scope="row"><a href={`/console/webhooks/${webhook.id}`}>{webhook.url}</a>{webhook.description && <bdi class="small quiet sub">{webhook.description}</bdi>}</th>
      <td data-label={common.state}><StateBadge webhook={webhook} /></td>
      <td data-label={webhooks.column_resources}><Resources webhook={webhook} /></td>
      <td data-label={webhooks.column_failing}><FailingSince webhook={webhook} /></td>
    </tr>
  );
};

const Table = ({ rows }: { rows: webhook[] }) => {
  const { webhooks, common } = use_text();
  return (
    <table class="records webhooks">
      <caption class="unseen">{webhooks.title}</caption>
      <thead><tr><th scope="col">{webhooks.column_receiver}</th><th scope="col">{common.state}</th><th scope="col">{webhooks.column_resources}</th><th scope="col">{webhooks.column_failing}</th></tr></thead>
      <tbody>{rows.map((webhook) => <Row key={webhook.id} webhook={webhook} />)}</tbody>
    </table>
  );
};

export const WebhooksPage = () => {
  const { webhooks } = use_text();
  const read = use_load('webhooks', read_webhooks);
  const [creating, set_creating] = useState(false);
  const [made, set_made] = useState<with_secret | null>(null);
  if (made) return <SecretPage title={webhooks.ready_title} made={made} stored={() => set_made(null)} />;
  const create = <Button kind="primary" icon="plus" onClick={() => set_creating(true)}>{webhooks.create}</Button>;
  return (
    <>
      <PageHead title={webhooks.title} intro={webhooks.intro}>{create}</PageHead>
      <Loaded of={read}>{(rows) => (rows.length > 0 ? <Table rows={rows} /> : <Empty title={webhooks.empty_title}>{webhooks.empty}</Empty>)}</Loaded>
      {creating && <CreateDialog close={() => set_creating(false)} done={(fresh) => { set_creating(false); set_made(fresh); read.reload(); }} />}
    </>
  );
};
