import { use_format, use_text } from '../../i18n/language';
import { Field, Segments } from '../../ui/forms';

const day = 24 * 3600 * 1000;
const lengths = [7, 30, 90, 180];
export type expiry = { days: string; at: string };

/** A time as the browser's own field for dates and times writes it: the reader's local time. */
const local = (time: Date): string => new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

export const expiry_in = (days: number): expiry => ({ days: String(days), at: local(new Date(Date.now() + days * day)) });

/** null when the field holds no time. */
export const time_of = ({ days, at }: expiry): Date | null => {
  const time = days === 'custom' ? new Date(at) : new Date(Date.now() + Number(days) * day);
  return Number.isNaN(time.getTime()) ? null : time;
};

export const is_allowed = (time: Date | null): time is Date => {
  const left = time ? time.getTime() - Date.now() : 0;
  return left >= 3600 * 1000 && left <= 366 * day;
};

export const Expiry = ({ value, change, error }: { value: expiry; change: (value: expiry) => void; error: string | undefined }) => {
  const text = use_text();
  const format = use_format();
  const time = time_of(value);
  const choices = [
    ...lengths.map((days) => ({ value: String(days), label: text.create.days(days) })),
    { value: '365', label: text.create.year },
    { value: 'custom', label: text.create.custom },
  ];
  return (
    <div class="expiry">
      <p class="label" aria-hidden="true">{text.create.expiry}</p>
      <Segments label={text.create.expiry} name="expiry" value={value.days} choices={choices} change={(days) => change({ ...value, days, at: days === 'custom' && time ? local(time) : value.at })} />
      {(value.days === 'custom' || error) && (
        <Field label={text.create.custom_label} error={error} hint={text.common.times_in(format.zone)}>
          {(ids) => <input {...ids} type="datetime-local" name="expiresAt" value={value.at} onInput={(event) => change({ days: 'custom', at: event.currentTarget.value })} />}
        </Field>
      )}
      {!error && time && <p class="hint" role="status">{text.create.expires_on(format.long(time))}</p>}
    </div>
  );
};
