// What the site holds and in which order: sections of pages. A page that is named nowhere stands at the end of the
// section that takes its folder.
export const site_name = 'Recruiting platform';

export const sections = [
  {
    title: 'Start',
    pages: ['README.md', 'quickstart.md', 'troubleshooting.md'],
  },
  {
    title: 'Concepts',
    pages: ['concepts.md', 'glossary.md', 'design.md'],
  },
  {
    title: 'Use the API',
    references: [
      { name: 'auth_api', folder: 'api/authenticated', title: 'Authenticated API' },
      { name: 'public_api', folder: 'api/public', title: 'Public API' },
      { name: 'console', folder: 'api/console', title: 'Console' },
    ],
    pages: ['keys.md', 'clients.md', 'errors.md', 'limits.md', 'lists.md', 'versioning.md'],
  },
  {
    title: 'Guides',
    pages: ['importing.md', 'booking.md', 'widgets.md', 'feeds.md', 'branding.md', 'agent.md', 'console.md'],
  },
  {
    title: 'Deploy',
    pages: ['packages.md', 'containers.md', 'kubernetes.md', 'edge.md', 'tls.md', 'mail.md'],
  },
  {
    title: 'Operate',
    pages: ['operations.md', 'high_availability.md', 'moving_organizations.md', 'doctor.md', 'tracing.md', 'performance.md', 'reliability.md', 'scaling.md', 'runbooks/README.md'],
    inner: { 'runbooks/README.md': 'runbooks' }, // its pages show while one of them is open
  },
  {
    title: 'Security',
    pages: ['../SECURITY.md', 'secrets.md', 'audit.md'],
  },
  {
    title: 'Reference',
    pages: ['settings.md', 'metrics.md', 'log_events.md', 'http_rules.md', '../CHANGELOG.md'],
    takes: '.',
  },
  { title: 'Decisions', pages: ['decisions/README.md'], takes: 'decisions', folded: true },
];

/** Short names for the navigation, where a page's title is long. */
export const labels = {
  'README.md': 'Overview',
  'operations.md': 'The handbook',
  'runbooks/README.md': 'Runbooks',
  'decisions/README.md': 'By subject',
  '../SECURITY.md': 'Threat model',
  '../CHANGELOG.md': 'Changelog',
};
