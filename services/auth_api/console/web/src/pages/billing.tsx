// Plan, seats, usage of the current period, invoices.
import { api, type billing, body_of } from '../api/client';
import { use_load } from '../api/load';
import { use_format, use_text } from '../i18n/language';
import { Badge, Button, Empty, Loaded, PageHead, Time } from '../ui/basics';
import { Icon } from '../ui/icons';
import { save } from '../ui/save';

const plan_tones = { trialing: 'accent', active: 'good', past_due: 'bad', canceled: 'quiet' } as const;
const invoice_tones = { draft: 'quiet', open: 'warn', paid: 'good', void: 'quiet', uncollectible: 'bad' } as const;

const Seats = ({ seats: { used, included } }: Pick<billing, 'seats'>) => {
  const text = use_text();
  const format = use_format();
  const over = used - included;
  return (
    <section class="panel">
      <h2>{text.billing.seats}</h2>
      <p class="figure">{format.number(used)}<span class="quiet"> / {format.number(included)}</span></p>
      <meter min={0} max={Math.max(included, used, 1)} value={used} high={included} optimum={0} aria-label={text.billing.seats}>{text.billing.seats_used(format.number(used), format.number(included))}</meter>
      <p class="small quiet">{over > 0 ? <span class="warn-text">{text.billing.seats_over(over)}</span> : text.billing.seats_used(format.number(used), format.number(included))}</p>
    </section>
  );
};

const Plan = ({ billing }: { billing: billing }) => {
  const text = use_text();
  const format = use_format();
  return (
    <section class="panel">
      <h2>{text.billing.plan}</h2>
      <p class="figure"><span class="plan-name">{billing.plan}</span> <Badge tone={plan_tones[billing.status]}>{text.billing.statuses[billing.status]}</Badge></p>
      <dl class="facts">
        <dt>{text.billing.period}</dt><dd><Time at={billing.currentPeriodStart} form="date" /> – <Time at={billing.currentPeriodEnd} form="date" /></dd>
        <dt>{text.billing.due}</dt><dd>{format.money(billing.amountDueCents, billing.currency)}</dd>
      </dl>
    </section>
  );
};

const Usage = ({ usage }: Pick<billing, 'usage'>) => {
  const text = use_text();
  const format = use_format();
  const figures: [string, number][] = [
    [text.billing.agent_runs, usage.agentRuns], [text.billing.bookings, usage.bookings],
    [text.billing.input_tokens, usage.agentInputTokens], [text.billing.output_tokens, usage.agentOutputTokens],
  ];
  return (
    <section class="panel">
      <h2>{text.billing.usage}</h2>
      <dl class="figures">{figures.map(([label, value]) => <div key={label}><dt>{label}</dt><dd title={format.number(value)}>{value < 100_000 ? format.number(value) : format.compact(value)}</dd></div>)}</dl>
    </section>
  );
};

/** A field of RFC 4180. */
const field = (value: string): string => `"${value.replaceAll('"', '""')}"`;
/** Text from elsewhere, which a spreadsheet must not calculate. */
const harmless = (value: string): string => (/^[=+\-@\t\r]/.test(value) ? `'${value}` : value);
const csv_of = (invoices: billing['invoices']): Blob => {
  const day = (at: string | null): string => at?.slice(0, 10) ?? '';
  const rows = invoices.map((of) => [harmless(of.number), of.status, day(of.issuedAt), day(of.dueAt), day(of.paidAt), (of.amountCents / 100).toFixed(2), of.currency]);
  const lines = [['number', 'status', 'issued', 'due', 'paid', 'amount', 'currency'], ...rows].map((row) => row.map(field).join(','));
  return new Blob([lines.join('\r\n'), '\r\n'], { type: 'text/csv' });
};

const is_late = ({ status, dueAt }: billing['invoices'][number]): boolean => status === 'open' && dueAt !== null && Date.parse(dueAt) < Date.now();

const Invoices = ({ invoices }: Pick<billing, 'invoices'>) => {
  const text = use_text();
  const format = use_format();
  if (invoices.length === 0) return <Empty title={text.billing.no_invoices_title}>{text.billing.no_invoices}</Empty>;
  return (
    <>
    <table class="records">
      <caption>{text.billing.invoices}</caption>
      <thead><tr><th scope="col">{text.billing.number}</th><th scope="col">{text.common.status}</th><th scope="col">{text.billing.issued}</th><th scope="col">{text.billing.due_date}</th><th scope="col">{text.billing.paid}</th><th scope="col" class="number">{text.billing.amount}</th></tr></thead>
      <tbody>
        {invoices.map((invoice) => (
          <tr key={invoice.id}>
            <th scope="row">{invoice.number}</th>
            <td data-label={text.common.status}><Badge tone={invoice_tones[invoice.status]}>{text.billing.invoice_statuses[invoice.status]}</Badge></td>
            <td data-label={text.billing.issued}><Time at={invoice.issuedAt} form="date" /></td>
            <td data-label={text.billing.due_date}>{invoice.dueAt ? <span class={is_late(invoice) ? 'warn-text' : ''}><Time at={invoice.dueAt} form="date" /></span> : <span class="quiet">–</span>}</td>
            <td data-label={text.billing.paid}>{invoice.paidAt ? <Time at={invoice.paidAt} form="date" /> : <span class="quiet">–</span>}</td>
            <td data-label={text.billing.amount} class="number">{format.money(invoice.amountCents, invoice.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p><Button icon="download" onClick={() => save(csv_of(invoices), 'invoices')}>{text.audit.download}</Button></p>
    </>
  );
};

export const BillingPage = () => {
  const text = use_text();
  const billing = use_load('billing', (signal) => body_of(api.GET('/billing', { signal })));
  return (
    <>
      <PageHead title={text.billing.title} intro={text.billing.intro} />
      <Loaded of={billing}>{({ data }) => (
        <>
          {data.status === 'past_due' && <p class="note bad" role="status"><Icon name="warning" />{text.billing.past_due}</p>}
          <div class="columns thirds"><Plan billing={data} /><Seats seats={data.seats} /><Usage usage={data.usage} /></div>
          <Invoices invoices={data.invoices} />
        </>
      )}</Loaded>
    </>
  );
};
