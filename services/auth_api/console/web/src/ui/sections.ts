import type { chosen_session } from '../session/session';
import type { icon_name } from './icons';

type section = { href: string; name: 'api_access' | 'agent' | 'interviews' | 'members' | 'webhooks' | 'audit' | 'billing' | 'limits' | 'sessions'; icon: icon_name };

/** The pages that the member's role opens, in the order of the navigation. */
export const sections = ({ scopes, member }: chosen_session): section[] => [
  { href: '/console/api-access', name: 'api_access', icon: 'key' },
  ...(scopes.includes('agents:read') ? [{ href: '/console/agent', name: 'agent', icon: 'talk' } as const] : []),
  ...(member.role === 'viewer' ? [] : [{ href: '/console/interviews', name: 'interviews', icon: 'calendar' } as const]),
  ...(scopes.includes('members:read') ? [{ href: '/console/members', name: 'members', icon: 'people' } as const] : []),
  ...(member.role === 'admin' ? [{ href: '/console/webhooks', name: 'webhooks', icon: 'bell' } as const] : []),
  ...(scopes.includes('audit:read') ? [{ href: '/console/audit', name: 'audit', icon: 'log' } as const] : []),
  ...(scopes.includes('billing:read') ? [{ href: '/console/billing', name: 'billing', icon: 'card' } as const] : []),
  { href: '/console/limits', name: 'limits', icon: 'gauge' },
  { href: '/console/sessions', name: 'sessions', icon: 'screen' },
];
