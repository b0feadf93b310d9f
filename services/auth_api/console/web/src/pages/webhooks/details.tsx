// One webhook: its state, what admins do with it, and what was sent to it last.
import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { api, body_of, csrf, type webhook } from '../../api/client';
import { use_action, use_load, use_poll } from '../../api/load';
import { use_format, use_text } from '../../i18n/language';
import { Button, Crumb, Done, Loaded, NotFound, PageHead, ProblemNote, Time } from '../../ui/basics';
import { Icon } from '../../ui/icons';
import { Deliveries } from './deliveries';
import { DeleteDialog, RotateDialog } from './dialogs';
import { SecretPage, type with_secret } from './secret';
import { host_of, read_webhooks, Resources, StateBadge } from './webhook_parts';

const Facts = ({ webhook }: { webhook: webhook }) => {
  const text = use_text();
  const format = use_format();
  const { webhooks } = text;
  return (
    <section class="panel">
      <dl class="facts">
        <dt>{webhooks.url}</dt><dd><code>{webhook.url}</code></dd>
        <dt>{webhooks.column_resources}</dt><dd><Resources webhook={webhook} /></dd>
        <dt>{webhooks.waiting}</dt><dd>{format.number(webhook.waitingMessages)}</dd>
        {webhook.previousSecretExpiresAt && <><dt>{webhooks.previous}</dt><dd><Time at={webhook.previousSecretExpiresAt} form="minute" /></dd></>}
        <dt>{text.keys.column_created}</dt><dd><Time at={webhook.createdAt} form="minute" /></dd>
      </dl>
    </section>
  );
};

const StateNote = ({ webhook: { status, failingSince, nextAttemptAt } }: { webhook: webhook }) => {
  const text = use_text();
  const format = use_format();
  if (status !== 'active') return <p class={`note ${status === 'failed' ? 'bad' : ''}`}><Icon name="warning" />{text.webhooks.notes[status]}</p>;
  if (!failingSince || !nextAttemptAt) return null;
  return <p class="note warn"><Icon name="warning" />{text.webhooks.failing(format.minute(failingSince), format.second(nextAttemptAt))}</p>;
};

type done = (said: string) => void;
const Actions = ({ webhook, open, done }: { webhook: webhook; open: (what: 'rotate' | 'delete') => void; done: done }) => {
  const { webhooks } = use_text();
  const active = webhook.status === 'active';
  const params = { params: { path: { id: webhook.id }, header: csrf() } };
  const change = use_action(async () => {
    await body_of(api.PATCH('/webhooks/{id}', { ...params, body: { status: active ? 'paused' : 'active' } }));
    done(active ? webhooks.paused : webhooks.resumed);
  });
  const test = use_action(async () => {
    await body_of(api.POST('/webhooks/{id}/test', params));
    done(webhooks.tested);
  });
  return (
    <>
      <PageHead title={webhook.description ?? host_of(webhook)}>
        {active && <Button busy={test.busy} onClick={() => void test.run()}>{webhooks.test}</Button>}
        {webhook.status !== 'gone' && <Button busy={change.busy} onClick={() => void change.run()}>{active ? webhooks.pause : webhooks.resume}</Button>}
        {webhook.status !== 'gone' && <Button icon="swap" onClick={() => open('rotate')}>{webhooks.rotate}</Button>}
        <Button kind="danger" onClick={() => open('delete')}>{webhooks.delete}</Button>
      </PageHead>
      <ProblemNote problem={change.problem ?? test.problem} />
    </>
  );
};

const read_one = async (id: string, signal: AbortSignal) => {
  const webhook = (await read_webhooks(signal)).find((one) => one.id === id);
  if (!webhook) return { webhook, deliveries: [] };
  return { webhook, deliveries: (await body_of(api.GET('/webhooks/{id}/deliveries', { params: { path: { id } }, signal }))).data };
};

export const WebhookPage = ({ id }: { id: string }) => {
  const { webhooks } = use_text();
  const { route } = useLocation();
  const read = use_load(id, (signal) => read_one(id, signal));
  const [open, set_open] = useState<'rotate' | 'delete' | null>(null);
  const [made, set_made] = useState<with_secret | null>(null);
  const [said, say] = useState<string | null>(null);
  const shown = read.value?.webhook;
  // A message is sent within seconds, unless the receiver fails: then the next attempt may be hours away.
  const waits = shown?.status === 'active' && shown.waitingMessages > 0 && shown.failingSince === null;
  use_poll(waits ? 2_000 : null, () => !read.loading && read.reload());
  const close = () => set_open(null);
  const done = (sentence: string) => { say(sentence); read.reload(); };
  if (made) return <SecretPage title={webhooks.rotated_title} made={made} stored={() => set_made(null)} />;
  return (
    <>
      <Crumb href="/console/webhooks">{webhooks.title}</Crumb>
      <Loaded of={read}>{({ webhook, deliveries }) => (!webhook ? <NotFound title={webhooks.not_found_title} href="/console/webhooks" to={webhooks.title}>{webhooks.not_found}</NotFound> : (
        <>
          <Actions webhook={webhook} open={set_open} done={done} />
          <p class="lead"><StateBadge webhook={webhook} /></p>
          <StateNote webhook={webhook} />
          <Done>{said}</Done>
          <Facts webhook={webhook} />
          <Deliveries webhook={webhook} deliveries={deliveries} loading={read.loading} reload={read.reload} sent={() => done(webhooks.resent)} />
          {open === 'rotate' && <RotateDialog webhook={webhook} close={close} done={(fresh) => { close(); say(null); set_made(fresh); read.reload(); }} />}
          {open === 'delete' && <DeleteDialog webhook={webhook} close={close} done={() => route('/console/webhooks')} />}
        </>
      ))}</Loaded>
    </>
  );
};
