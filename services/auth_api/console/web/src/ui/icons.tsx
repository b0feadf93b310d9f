// Line icons, 20 units wide, drawn in the text's color. They only accompany words.
const paths = {
  key: 'M8 12.5a3.5 3.5 0 1 1 3.3-2.3L17 16v1.5h-2.5V16H13v-1.5h-1.5l-1.7-1.7A3.5 3.5 0 0 1 8 12.5Z',
  people: 'M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5 7a5 5 0 0 1 10 0M13 4a2.8 2.8 0 0 1 0 5.4m1.5 2.3a5 5 0 0 1 3 4.8',
  log: 'M5 3h10v14H5zM7.5 7h5m-5 3h5m-5 3h3',
  card: 'M2.5 5h15v10h-15zM2.5 8.5h15M5 12h3',
  gauge: 'M3.5 15a7.5 7.5 0 1 1 13 0M10 11.5l3-4',
  screen: 'M3 4h14v9H3zM7 17h6m-3-4v4',
  menu: 'M3 5.5h14M3 10h14M3 14.5h14',
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7 7h9v9H7zM4 13V4h9',
  check: 'M4 10.5l4 4 8-9',
  plus: 'M10 4v12M4 10h12',
  warning: 'M10 3 2.5 16.5h15L10 3Zm0 5v4m0 2.2v.1',
  mail: 'M2.5 5h15v10h-15zm0 1 7.5 5.5L17.5 6',
  down: 'M5 7.5l5 5 5-5',
  left: 'M12.5 5l-5 5 5 5',
  right: 'M7.5 5l5 5-5 5',
  download: 'M10 3v9m-4-3.5 4 4 4-4M4 16.5h12',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11Zm4-1.5 4 4',
  seal: 'M10 2.5 4 5v5c0 3.5 2.5 6 6 7.5 3.5-1.5 6-4 6-7.5V5l-6-2.5Zm-2.5 7 2 2 3.5-4',
  talk: 'M3 4h14v9.5H9L5.5 17v-3.5H3zM6.5 7.5h7m-7 2.8h4.5',
  calendar: 'M3.5 4.5h13v12h-13zM3.5 8.5h13M7 2.5v4m6-4v4',
  bell: 'M10 3.5a4.3 4.3 0 0 0-4.3 4.3v3.4L4 14h12l-1.7-2.8V7.8A4.3 4.3 0 0 0 10 3.5ZM8.3 16.7h3.4',
  tool: 'M12.5 3.2a4 4 0 0 0-4.3 5.3L3 13.7 6.3 17l5.2-5.2a4 4 0 0 0 5.3-4.3l-2.5 2.3-2.6-.9-.9-2.6 1.7-3.1Z',
  swap: 'M4 7h11m-3-3 3 3-3 3M16 13H5m3-3-3 3 3 3',
} as const;
export type icon_name = keyof typeof paths;

export const Icon = ({ name }: { name: icon_name }) => (
  <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
    <path d={paths[name]} fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" />
  </svg>
);
