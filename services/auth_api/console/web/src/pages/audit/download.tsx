// The whole selection as CSV. A link can't ask for a type, so the page reads it, counts, and hands it to the browser.
import { useRef, useState } from 'preact/hooks';
import { api, type audit_row, failed } from '../../api/client';
import { use_action } from '../../api/load';
import { Problem, read_problem } from '../../api/problem';
import { use_format, use_text } from '../../i18n/language';
import { Button, ProblemNote } from '../../ui/basics';
import { save } from '../../ui/save';
import { type filter, query_of } from './filter';
import { changes_of } from './rows';

const read_csv = async (filter: filter, changes: audit_row['action'][], signal: AbortSignal, progress: (bytes: number) => void): Promise<Blob> => {
  const { response, error } = await api.GET('/audit', { params: { query: query_of(filter, changes) }, headers: { Accept: 'text/csv' }, parseAs: 'stream', signal });
  if (!response.ok) throw failed(read_problem(response, error));
  if (!response.body) throw new Problem({ code: 'offline' });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    progress(size);
  }
  return new Blob(parts, { type: 'text/csv' });
};

export const Download = ({ filter, slug }: { filter: filter; slug: string }) => {
  const text = use_text();
  const format = use_format();
  const [size, set_size] = useState<number | null>(null);
  const stop = useRef<AbortController | null>(null);
  const download = use_action(async () => {
    stop.current = new AbortController();
    set_size(0);
    try {
      const blob = await read_csv(filter, changes_of(text), stop.current.signal, set_size);
      save(blob, `audit-${slug}`);
    } catch (cause) {
      set_size(null);
      if (!stop.current.signal.aborted) throw cause instanceof Problem ? cause : new Problem({ code: 'offline' });
    }
  });
  return (
    <>
      <Button icon="download" busy={download.busy} onClick={() => void download.run()}>{text.audit.download}</Button>
      {download.busy && <Button kind="quiet" onClick={() => stop.current?.abort()}>{text.audit.stop}</Button>}
      <span class="small quiet" role="status">{size !== null && (download.busy ? text.audit.downloading(format.size(size)) : text.audit.downloaded(format.size(size)))}</span>
      <ProblemNote problem={download.problem} />
    </>
  );
};
