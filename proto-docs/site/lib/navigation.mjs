// What the site holds and in which order: sections of pages. A page that is named nowhere stands at the end of the
// section that takes its folder.
export const site_name = 'Recruiting platform';

export const sections = [
  {
    title: 'Start',
    pages: ['README.md', 'quickstart.md', 'concepts.md', 'clients.md'],
  },
  {
    title: 'API',
    references: [
      { name: 'auth_api', folder: 'api/authenticated', title: 'Authenticated API' },
      { name: 'public_api', folder: 'api/public', title: 'Public API' },
      { name: 'console', folder: 'api/console', title: 'Console' },
    ],
    pages: ['errors.md', 'limits.md', 'lists.md', 'versioning.md'],
  },
  {
    title: 'Guides',
    pages: ['keys.md', 'agent.md', 'booking.md', 'widgets.md', 'feeds.md', 'branding.md', 'console.md', 'audit.md', 'audit_chain.md'],
  },
  {
    title: 'Deploy',
    pages: ['packages.md', 'containers.md', 'kubernetes.md', 'edge.md', 'mail.md'],
  },
  {
    title: 'Operations',
    pages: ['operations.md', 'doctor.md', 'metrics.md', 'tracing.md', 'performance.md', 'security.md', '../SECURITY.md', '../CHANGELOG.md'],
    takes: '.',
  },
  { title: 'Runbooks', takes: 'runbooks', folded: true },
  { title: 'Decisions', pages: ['design.md', 'decisions/README.md'], takes: 'decisions', folded: true },
];

/** Short names for the navigation, where a page's title is long. */
export const labels = {
  'README.md': 'Overview',
  'operations.md': 'The handbook',
  'security.md': 'Security',
  'runbooks/README.md': 'All alerts',
  'decisions/README.md': 'By subject',
  '../SECURITY.md': 'Threat model',
  '../CHANGELOG.md': 'Changelog',
};
